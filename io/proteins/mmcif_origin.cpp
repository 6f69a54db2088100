#include "io/proteins/mmcif_origin.hpp"

#include <cmath>
#include <limits>
#include <set>

#include <gemmi/cif.hpp>
#include <gemmi/numb.hpp>

#include "io/proteins/atom_fields.hpp"

namespace tessera::io {

namespace {

namespace cif = gemmi::cif;

/// The first value of a tag that `wanted` accepts, whether it is in a loop or alone.
template <class Wanted>
std::string first_value(cif::Block& block, const std::string& tag, const Wanted& wanted) {
    for (const std::string& raw : block.find_values(tag)) {
        const std::string value = cif::as_string(raw);
        if (wanted(value)) return value;
    }
    return {};
}

bool is_plddt(const std::string& name) {
    return upper_case(name).find("PLDDT") != std::string::npos;
}

/// Ids of the metrics that are pLDDT.
std::set<std::string> plddt_metrics(cif::Block& block) {
    std::set<std::string> ids;
    for (auto row : block.find("_ma_qa_metric.", {"id", "name"}))
        if (is_plddt(row.str(1))) ids.insert(row.str(0));
    return ids;
}

double edge_of(cif::Block& block, const char* tag) {
    const std::string* value = block.find_value(tag);
    const double edge = value ? cif::as_number(*value, 0) : 0;
    return std::isfinite(edge) ? edge : 0;
}

std::string experiment_in(cif::Block& block) {
    if (!first_value(block, "_exptl.method", names_experiment).empty()) return "_exptl.method";
    const auto is_number = [](const std::string& text) { return cif::as_number(text, 0) > 0; };
    if (!first_value(block, "_refine.ls_d_res_high", is_number).empty()) return "_refine";
    const bool crystal =
        is_crystal_cell(edge_of(block, "_cell.length_a"), edge_of(block, "_cell.length_b"),
                        edge_of(block, "_cell.length_c"));
    return crystal ? "_cell" : "";
}

std::string prediction_in(cif::Block& block) {
    if (!plddt_metrics(block).empty()) return "_ma_qa_metric names pLDDT";
    const auto is_known = [](const std::string& text) { return !predictor_in(text).empty(); };
    for (const char* tag : {"_entry.id", "_struct.title", "_software.name",
                            "_ma_model_list.model_name", "_ma_model_list.model_group_name"})
        if (const std::string text = first_value(block, tag, is_known); !text.empty())
            return std::string(tag) + " names " + predictor_in(text);
    return {};
}

}  // namespace

double LocalPlddt::of(const std::string& chain, const std::string& number) const {
    const auto found = values_.find({chain, number});
    return found == values_.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

LocalPlddt local_plddt_of(cif::Block& block) {
    LocalPlddt plddt;
    const std::set<std::string> metrics = plddt_metrics(block);
    if (metrics.empty()) return plddt;
    for (auto row : block.find("_ma_qa_metric_local.",
                               {"label_asym_id", "label_seq_id", "metric_id", "metric_value"}))
        if (metrics.count(row.str(2)) > 0)  // not contains(): fuzz targets compile this as C++17
            plddt.add(row.str(0), row.str(1), cif::as_number(row[3]));
    return plddt;
}

FileOrigin origin_of(cif::Block& block) { return {prediction_in(block), experiment_in(block)}; }

}  // namespace tessera::io

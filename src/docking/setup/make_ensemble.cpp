#include "docking/setup/make_ensemble.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "docking/ensemble/mode_conformers.hpp"
#include "docking/ensemble/model_conformers.hpp"
#include "docking/setup/docked_structures.hpp"
#include "docking/setup/prepare.hpp"
#include "io/files/sha256.hpp"
#include "io/proteins/structure_text.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

io::TextSource text_of(const ModelSource& source) {
    if (source.text.empty()) return io::read_structure_text(source.path);
    return {source.path, source.text, "structure", io::sha256_of(source.text)};
}

std::string name_of(const ModelSource& source, int place) {
    return fmt::format("model {} of '{}'", place, io::one_line(source.path, 120));
}

/// A partner as it is docked: the whole, and what is left out of it.
struct WholePartner {
    ModelSource source;
    std::vector<std::string> files;  ///< with more conformers
    io::Structure structure;
    std::vector<int> left_out;
};

PartnerConformers conformers_in_files(const WholePartner& partner) {
    PartnerConformers conformers;
    if (partner.source.models.empty() && partner.files.empty()) return conformers;
    std::vector<Vec3> own;
    own.reserve(partner.structure.atoms.size());
    for (const io::AtomRecord& atom : partner.structure.atoms) own.push_back(atom.position);
    std::vector<ChosenModel> models = chosen_models(partner.source);
    const io::Structure first = models.front().structure;
    const auto take = [&](const ModelSource& source, const ChosenModel& model) {
        const NamedModel named{name_of(source, model.place), model.structure};
        conformers.names.push_back(named.name);
        conformers.positions.push_back(
            conformers.positions.empty()
                ? own
                : positions_in(named, first, partner.structure, partner.source.partner));
    };
    for (const ChosenModel& model : models) take(partner.source, model);
    for (const std::string& path : partner.files) {
        ModelSource source = partner.source;
        source.path = path;
        source.text.clear();
        for (const ChosenModel& model : chosen_models(source)) take(source, model);
    }
    if (conformers.positions.size() == 1) conformers.positions.clear();
    return conformers;
}

PartnerConformers conformers_of(const WholePartner& partner, int modes, double rmsd) {
    PartnerConformers conformers =
        modes > 1 ? conformers_along_modes(partner.source.partner, partner.structure,
                                           partner.left_out, modes, rmsd)
                  : conformers_in_files(partner);
    if (conformers.count() > static_cast<std::size_t>(most_conformers))
        throw Error(
            fmt::format("the {} has {} conformers", partner.source.partner, conformers.count()),
            fmt::format("at most {} are docked in a run", most_conformers),
            "choose models with --" + partner.source.partner + "-models");
    return conformers;
}

void add_line(std::vector<std::string>& lines, const char* partner,
              const PartnerConformers& conformers) {
    if (conformers.names.empty()) return;
    lines.push_back(fmt::format("{}: {}", partner, io::counted(conformers.count(), "conformer")));
    for (std::size_t i = 0; i < conformers.names.size(); ++i)
        lines.push_back(fmt::format("{} conformer {}: {}", partner, i + 1, conformers.names[i]));
}

}  // namespace

std::vector<ChosenModel> chosen_models(const ModelSource& source) {
    if (source.models.empty()) return {{1, io::parse_structure(text_of(source), source.chains)}};
    std::vector<io::Structure> models = io::parse_models(text_of(source), source.chains);
    ModelChoice choice = parse_models("--" + source.partner + "-models", source.models);
    if (choice.all) {
        choice.places.resize(models.size());
        std::iota(choice.places.begin(), choice.places.end(), 1);
    }
    std::vector<ChosenModel> chosen;
    for (const int place : choice.places) {
        if (static_cast<std::size_t>(place) > models.size())
            throw Error(fmt::format("there is no {}", name_of(source, place)),
                        fmt::format("the file has {}", io::counted(models.size(), "model")),
                        "choose others with --" + source.partner + "-models");
        chosen.push_back({place, models[static_cast<std::size_t>(place) - 1]});
    }
    return chosen;
}

Ensemble make_ensemble(const DockInput& input) {
    const EnsembleOptions& options = input.ensemble;
    if (!options.is_set()) return {};
    PreparedDocking docked;
    read_structures(docked, input, nullptr);
    const auto whole = [](ModelSource source, const std::vector<std::string>& files,
                          const CutPartner& cut, const io::Structure& structure) {
        return WholePartner{std::move(source), files, cut.whole.value_or(structure),
                            cut.low.left_out};
    };
    const WholePartner receptor =
        whole({"receptor", input.receptor_path, input.receptor_text, input.receptor_chains,
               options.receptor_models},
              options.receptor_files, docked.receptor_cut, docked.receptor_structure);
    const WholePartner ligand =
        whole({"ligand", input.ligand_path, input.ligand_text, input.ligand_chains,
               options.ligand_models},
              options.ligand_files, docked.ligand_cut, docked.ligand_structure);
    const bool receptor_is_smaller =
        docked.receptor_structure.atoms.size() < docked.ligand_structure.atoms.size();
    const auto modes = [&](int own, bool is_smaller) {
        return is_smaller && options.conformers > 1 ? options.conformers : own;
    };
    Ensemble ensemble{conformers_of(receptor,
                                    modes(options.receptor_conformers, receptor_is_smaller),
                                    options.rmsd),
                      conformers_of(ligand, modes(options.ligand_conformers, !receptor_is_smaller),
                                    options.rmsd)};
    if (ensemble.combinations() > static_cast<std::size_t>(most_combinations))
        throw Error(fmt::format("{} of the receptor and {} of the ligand are {} pairs",
                                io::counted(ensemble.receptor.count(), "conformer"),
                                ensemble.ligand.count(), ensemble.combinations()),
                    fmt::format("at most {} are docked in a run", most_combinations),
                    "choose fewer conformers of one partner");
    return ensemble;
}

std::vector<std::string> describe(const Ensemble& ensemble) {
    std::vector<std::string> lines;
    add_line(lines, "receptor", ensemble.receptor);
    add_line(lines, "ligand", ensemble.ligand);
    if (ensemble.combinations() > 1)
        lines.push_back(fmt::format("ensemble: {} dockings, one for each pair of conformers, and "
                                    "one consensus",
                                    ensemble.combinations()));
    return lines;
}

}  // namespace tessera::docking

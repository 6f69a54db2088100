#include "io/streams/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "io/streams/pixel_values.hpp"
#include "io/streams/star_fits.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "io/text/text_file.hpp"

namespace tessera::io {

namespace {

constexpr InputKind selection_file{"selection file",
                                   "give a CSV table of bins or pixels, or a HEALPix map in FITS",
                                   std::size_t{4} << 30, "give a coarser map", fits_beginning};
constexpr std::size_t most_cells = 50'000'000;
constexpr int most_listed = 2048;  // nside of a list of pixels, whose map takes 400 MB

/// Completeness may exceed 1 by rounding. What is not a number was not observed.
double completeness_of(double value, const std::string& file, std::size_t row) {
    constexpr double slack = 1e-6, unseen = -1.6e30;  // healpy writes -1.6375e30
    if (std::isnan(value) || value < unseen) return 0;
    if (!(value >= -slack && value <= 1 + slack))
        throw Error(fmt::format("cannot read selection file '{}'", file),
                    fmt::format("the completeness in row {} is {:g}", row + 1, value),
                    "give numbers from 0 to 1");
    return std::clamp(value, 0.0, 1.0);
}

class SelectionMap final : public Selection {
  public:
    SelectionMap(PixelMap map, const std::string& file) : map_(std::move(map)) {
        for (std::size_t i = 0; i < map_.completeness.size(); ++i)
            map_.completeness[i] = completeness_of(map_.completeness[i], file, i);
    }
    double at(const SeenPlace& place) const override {
        const auto pixel =
            map_.pixels.pixel_of(map_.equatorial ? place.equatorial : place.galactic);
        return map_.completeness[static_cast<std::size_t>(pixel)];
    }
    const std::vector<double>& magnitudes() const override { return none_; }

  private:
    PixelMap map_;
    std::vector<double> none_;
};

/// A bin: ranges of mu, nu and magnitude.
struct Bin {
    std::array<double, 3> low{}, high{};
    double completeness = 0;
};

/// Bins on a grid of all their edges.
class SelectionTable final : public Selection {
  public:
    SelectionTable(const std::vector<Bin>& bins, bool has_magnitudes, const TextSource& file)
        : has_magnitudes_(has_magnitudes) {
        for (const Bin& bin : bins)
            for (std::size_t axis = 0; axis < 3; ++axis)
                edges_[axis].insert(edges_[axis].end(), {bin.low[axis], bin.high[axis]});
        std::size_t cells = 1;
        for (std::vector<double>& edges : edges_) {
            std::ranges::sort(edges);
            edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
            cells *= edges.size() - 1;
            if (cells > most_cells)
                refuse(file, "its bins have too many different edges", "give bins on a grid");
        }
        values_.assign(cells, std::numeric_limits<double>::quiet_NaN());
        for (std::size_t row = 0; row < bins.size(); ++row) fill(bins[row], row, file);
        for (double& value : values_)
            if (std::isnan(value)) value = 0;
    }

    double at(const SeenPlace& place) const override {
        const double first = edges_[0].front();
        const double mu = place.mu - 360 * std::floor((place.mu - first) / 360);
        std::size_t cell = 0;
        const std::array<double, 3> values{mu, place.nu, place.magnitude};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::vector<double>& edges = edges_[axis];
            const bool all = axis == 2 && !has_magnitudes_;
            if (!all && !(values[axis] >= edges.front() && values[axis] <= edges.back())) return 0;
            const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, values[axis]);
            const auto place_in = all ? 0 : above - edges.begin() - 1;
            cell = cell * (edges.size() - 1) + static_cast<std::size_t>(place_in);
        }
        return values_[cell];
    }
    const std::vector<double>& magnitudes() const override {
        return has_magnitudes_ ? edges_[2] : none_;
    }

  private:
    [[noreturn]] static void refuse(const TextSource& file, const std::string& why,
                                    const std::string& what_to_do) {
        throw Error(fmt::format("cannot read {} '{}'", file.noun, file.path), why, what_to_do);
    }

    void fill(const Bin& bin, std::size_t row, const TextSource& file) {
        std::array<std::size_t, 3> from{}, to{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto place = [&](double edge) {
                return static_cast<std::size_t>(std::ranges::lower_bound(edges_[axis], edge) -
                                                edges_[axis].begin());
            };
            from[axis] = place(bin.low[axis]), to[axis] = place(bin.high[axis]);
        }
        for (std::size_t i = from[0]; i < to[0]; ++i)
            for (std::size_t j = from[1]; j < to[1]; ++j)
                for (std::size_t k = from[2]; k < to[2]; ++k) {
                    double& value =
                        values_[(i * (edges_[1].size() - 1) + j) * (edges_[2].size() - 1) + k];
                    if (!std::isnan(value))
                        refuse(file, fmt::format("bin {} overlaps a bin before it", row + 1),
                               "give each place one completeness");
                    value = bin.completeness;
                }
    }

    bool has_magnitudes_;
    std::array<std::vector<double>, 3> edges_;
    std::vector<double> values_;  // [mu][nu][magnitude]
    std::vector<double> none_;
};

/// A table of numbers with named columns, separated by commas.
struct NumberTable {
    std::map<std::string, std::vector<double>, std::less<>> columns;
    std::size_t rows = 0;

    const std::vector<double>& column(const TextSource& file, std::string_view name) const {
        const auto found = columns.find(name);
        if (found == columns.end())
            throw Error(fmt::format("cannot read {} '{}'", file.noun, file.path),
                        fmt::format("it has no column {}", name),
                        "give mu_min, mu_max, nu_min, nu_max and completeness (and r_min, r_max), "
                        "or pixel and completeness");
        return found->second;
    }
};

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (std::size_t at = 0; at != line.npos;) {
        const std::size_t next = line.find(',', at);
        std::string_view field = line.substr(at, next == line.npos ? next : next - at);
        while (!field.empty() && (field.front() == ' ' || field.front() == '\t'))
            field.remove_prefix(1);
        while (!field.empty() && (field.back() == ' ' || field.back() == '\t'))
            field.remove_suffix(1);
        fields.push_back(field);
        at = next == line.npos ? next : next + 1;
    }
    return fields;
}

NumberTable read_table(const TextSource& file) {
    TextScanner scanner(file);
    NumberTable table;
    std::vector<std::vector<double>*> columns;
    while (true) {
        scanner.skip_empty_lines();
        if (scanner.at_end()) break;
        const TextScanner start = scanner;
        const std::string_view line = scanner.rest_of_line();
        if (line.starts_with('#')) continue;
        const auto fields = fields_of(line);
        if (columns.empty()) {
            for (const std::string_view name : fields) {
                const auto [column, is_new] = table.columns.emplace(name, std::vector<double>());
                if (!is_new)
                    start.fail(fmt::format("two columns have the name {}",
                                           one_line(std::string(name), 20)),
                               "rename one of them");
                columns.push_back(&column->second);
            }
            continue;
        }
        if (fields.size() != columns.size())
            start.fail(fmt::format("the line has {}, not {}", counted(fields.size(), "field"),
                                   columns.size()),
                       "correct the line, or export the table again");
        for (std::size_t k = 0; k < fields.size(); ++k) {
            double value = std::numeric_limits<double>::quiet_NaN();
            TextScanner number(file, fields[k]);
            const bool empty = fields[k].empty() || fields[k] == "nan" || fields[k] == "NaN";
            if (!empty && (!number.number(value) || !number.line_is_over()))
                start.fail(fmt::format("a field is '{}', not a number",
                                       one_line(std::string(fields[k]), 40)),
                           "correct the line");
            columns[k]->push_back(value);
        }
        ++table.rows;
    }
    if (table.rows == 0) scanner.fail("it has no rows", "export the table again");
    return table;
}

std::shared_ptr<const Selection> table_of_bins(const NumberTable& table, const TextSource& file) {
    const bool deep = table.columns.contains("r_min") || table.columns.contains("r_max");
    const std::vector<double>& completeness = table.column(file, "completeness");
    constexpr std::string_view names[3] = {"mu", "nu", "r"};
    std::vector<Bin> bins(table.rows);
    for (std::size_t row = 0; row < table.rows; ++row) {
        Bin& bin = bins[row];
        bin.completeness = completeness_of(completeness[row], file.path, row);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (axis == 2 && !deep) {
                bin.high[axis] = 1;
                continue;
            }
            bin.low[axis] = table.column(file, fmt::format("{}_min", names[axis]))[row];
            bin.high[axis] = table.column(file, fmt::format("{}_max", names[axis]))[row];
            if (!(bin.low[axis] < bin.high[axis]) || std::abs(bin.low[axis]) > 1000 ||
                std::abs(bin.high[axis]) > 1000)
                throw Error(fmt::format("cannot read {} '{}'", file.noun, file.path),
                            fmt::format("bin {} goes from {:g} to {:g} in {}", row + 1,
                                        bin.low[axis], bin.high[axis], names[axis]),
                            "give the smaller number first");
        }
    }
    double first = bins[0].low[0], last = bins[0].high[0];
    for (const Bin& bin : bins)
        first = std::min(first, bin.low[0]), last = std::max(last, bin.high[0]);
    if (last - first > 360 + 1e-9)
        throw Error(fmt::format("cannot read {} '{}'", file.noun, file.path),
                    "its bins of mu go around the sky more than once", "count mu within one turn");
    return std::make_shared<SelectionTable>(bins, deep, file);
}

PixelMap map_of_pixels(const NumberTable& table, const TextSource& file,
                       const SelectionSource& source) {
    const auto refuse = [&](const std::string& why, const std::string& what_to_do) {
        throw Error(fmt::format("cannot read {} '{}'", file.noun, file.path), why, what_to_do);
    };
    if (source.nside == 0 || source.ordering.empty())
        refuse("a list of pixels does not say how the sky is divided",
               "add nside and ordering to [selection]");
    if (source.nside > most_listed)
        refuse(fmt::format("nside is {}", source.nside),
               fmt::format("give pixels of nside {} or less, or a FITS map", most_listed));
    PixelMap map{
        {source.nside, source.ordering == "nested"}, source.coordinates == "equatorial", {}};
    map.completeness = values_of_pixels(table.column(file, "pixel"),
                                        table.column(file, "completeness"), map.pixels, file);
    return map;
}

}  // namespace

std::shared_ptr<const Selection> parse_selection(const TextSource& file,
                                                 const SelectionSource& source) {
    if (file.text.starts_with(fits_beginning))
        return std::make_shared<SelectionMap>(parse_fits_map(file, source), file.path);
    const NumberTable table = read_table(file);
    if (table.columns.contains("pixel"))
        return std::make_shared<SelectionMap>(map_of_pixels(table, file, source), file.path);
    return table_of_bins(table, file);
}

std::shared_ptr<const Selection> read_selection(SelectionSource& source) {
    const TextSource file = read_text_file(source.file, selection_file);
    source.sha256 = file.sha256;
    return parse_selection(file, source);
}

std::vector<std::string> unused_keys(const SelectionSource& source, const Selection& selection) {
    std::vector<std::string> keys;
    if (dynamic_cast<const SelectionTable*>(&selection) == nullptr) return keys;
    if (source.nside != 0) keys.emplace_back("nside");
    if (!source.ordering.empty()) keys.emplace_back("ordering");
    if (!source.coordinates.empty()) keys.emplace_back("coordinates");
    if (!source.column.empty()) keys.emplace_back("column");
    return keys;
}

}  // namespace tessera::io

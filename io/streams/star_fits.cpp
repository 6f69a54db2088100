#include "io/streams/star_fits.hpp"

#include "core/error.hpp"

#ifdef TESSERA_HAS_CFITSIO

#include <optional>

#include "io/streams/fits_file.hpp"

namespace tessera::io {

namespace {

std::vector<Star> read_stars(FitsFile& file, const std::vector<StarTableColumn>& names,
                             const StarColumns& columns, std::span<const Observable> observables,
                             const TextSource& source) {
    file.require_whole_table();
    std::array<std::vector<double>, 3> values;
    for (std::size_t k = 0; k < 3; ++k)
        values[k] = file.values(columns.index[k], names[columns.index[k]].name);
    std::vector<std::vector<double>> observed;
    for (const auto& column : columns.observed)
        observed.push_back(column ? file.values(*column, names[*column].name)
                                  : std::vector<double>(values[0].size(), 0.0));
    std::vector<Star> stars;
    stars.reserve(values[0].size());
    for (std::size_t i = 0; i < values[0].size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k)
            if (!std::isfinite(values[k][i]))
                refuse_fits(source,
                            fmt::format("{} in row {} is not a finite number", "lbr"[k], i + 1),
                            "leave it out");
        stars.push_back(columns.star({values[0][i], values[1][i], values[2][i]}));
        for (const std::vector<double>& of_stars : observed)
            stars.back().observed.push_back(of_stars[i]);
        if (const auto problem = problem_of(stars.back(), observables))
            refuse_fits(source, fmt::format("row {}: {}", i + 1, problem->why),
                        problem->what_to_do);
    }
    return stars;
}

}  // namespace

std::vector<Star> parse_fits_stars(const TextSource& source,
                                   std::span<const Observable> observables) {
    FitsFile file(source);
    std::optional<StarProblem> first;
    for (int unit = 1; unit <= file.units(); ++unit) {
        if (!file.move_to(unit)) continue;
        const auto names = file.columns();
        StarProblem problem;
        if (const auto columns = find_star_columns(names, observables, problem))
            return read_stars(file, names, *columns, observables, source);
        if (!first) first = problem;
    }
    if (first) refuse_fits(source, first->why, first->what_to_do);
    refuse_fits(source, "it has no table", "give a FITS file with a table of stars");
}

}  // namespace tessera::io

#else

namespace tessera::io {

std::vector<Star> parse_fits_stars(const TextSource& source, std::span<const Observable>) {
    throw Error("cannot read " + std::string(source.noun) + " '" + source.path + "'",
                "it is a FITS file, and this program was built without cfitsio",
                "export the table as ECSV or CSV, or build again with libcfitsio-dev installed");
}

}  // namespace tessera::io

#endif

// What a finished run is told from: its file.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/file_name.hpp"
#include "orbitals/orbital_result.hpp"

namespace tessera::orbitals {

using io::h5::Group;

OrbitalResult read_orbital_result(const Group& root) {
    OrbitalResult result;
    const Group orbitals = root.open_group("orbitals");
    const auto reals = [&](const Group& group, const char* name) {
        return group.open_dataset(name).read<double>().values;
    };
    result.frames = orbitals.open_dataset("frames").read<std::int64_t>().values;
    result.labels = orbitals.open_dataset("labels").read_strings();
    for (const std::string& label : result.labels)
        io::require_file_name(root.file(), "orbital", label);
    result.norms = reals(orbitals, "norm");
    result.energies = reals(orbitals, "energies");
    result.occupations = reals(orbitals, "occupations");
    const auto origin = reals(orbitals, "origin"), spacing = reals(orbitals, "spacing");
    const auto shape = orbitals.open_dataset("shape").read<std::int64_t>().values;
    const std::size_t cells = result.frames.size() * result.labels.size();
    if (result.frames.empty() || origin.size() != 3 * result.frames.size() || spacing.size() != 3 ||
        shape.size() != 3 || result.norms.size() != cells || result.energies.size() != cells ||
        result.occupations.size() != cells)
        throw Error("'" + root.file() + "' does not fit together",
                    "frames, labels and norms differ in number",
                    "check that the file is Tessera's");
    result.grid.origin = {origin[0], origin[1], origin[2]};
    result.grid.spacing = {spacing[0], spacing[1], spacing[2]};
    std::ranges::copy(shape, result.grid.shape.begin());
    for (const std::int64_t number : result.frames) {
        const Group frame = root.open_group(fmt::format("frames/{}", number));
        const auto positions = reals(frame, "positions");
        const auto charges = frame.open_dataset("atomic_numbers").read<std::int32_t>().values;
        const auto symbols = frame.open_dataset("symbols").read_strings();
        if (positions.size() != 3 * charges.size() || symbols.size() != charges.size())
            throw Error("'" + root.file() + "' does not fit together",
                        "atoms and positions differ in number", "check that the file is Tessera's");
        std::vector<io::Nucleus> nuclei;
        for (std::size_t i = 0; i < charges.size(); ++i)
            nuclei.push_back({symbols[i],
                              charges[i],
                              {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]}});
        result.nuclei.push_back(std::move(nuclei));
    }
    const auto in_double = orbitals.open_dataset("computed_in_double").read<std::int8_t>().values;
    if (orbitals.read_attribute<std::string>("precision") == "single")
        result.rounded = std::ranges::count(in_double, 1);
    if (root.contains("density/integral"))
        result.density_integrals = reals(root.open_group("density"), "integral");
    if (root.contains("spin_density/integral"))
        result.spin_integrals = reals(root.open_group("spin_density"), "integral");
    return result;
}

std::string report_table(const OrbitalResult& result, std::size_t rows) {
    std::string text;
    if (!result.labels.empty())
        text += fmt::format("{:<12} {:>16} {:>11} {:>12}\n", "orbital", "energy/hartree",
                            "occupation", "norm");
    for (std::size_t i = 0; i < std::min(rows, result.labels.size()); ++i)
        text += fmt::format("{:<12} {:>16.6f} {:>11.4f} {:>12.8f}\n", result.labels[i],
                            result.energies[i], result.occupations[i], result.norms[i]);
    if (result.labels.size() > rows)
        text += fmt::format("and {} more\n", result.labels.size() - rows);
    if (result.rounded > 0)
        text += fmt::format("computed in double precision and rounded, because single would lose "
                            "digits: {} of {}\n",
                            result.rounded, result.norms.size());
    if (!result.density_integrals.empty())
        text += fmt::format("density: {:.6f} electrons in the box\n", result.density_integrals[0]);
    if (!result.spin_integrals.empty())
        text += fmt::format("spin density: {:.6f} unpaired electrons in the box\n",
                            result.spin_integrals[0]);
    if (result.frames.size() > 1)
        text += fmt::format("frame {} of {} shown\n", result.frames[0], result.frames.size());
    return text;
}

}  // namespace tessera::orbitals

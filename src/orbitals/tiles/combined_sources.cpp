#include "orbitals/tiles/combined_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/tiles/combined_rows.hpp"

namespace tessera::orbitals {

namespace {

/// A file that --with names.
CombinedSource read_source(const NamedFile& file, std::size_t frames_of_run, FramesRead& read) {
    std::vector<io::Wavefunction> of_file = io::read_wavefunctions(file.path);
    if (of_file.empty())
        throw Error("there is no frame to combine", "'" + io::one_line(file.path) + "' holds none",
                    "check the file");
    if (of_file.size() > 1 && of_file.size() != frames_of_run)
        throw Error(fmt::format("--with {}: '{}' has {} frames", file.name, io::one_line(file.path),
                                of_file.size()),
                    fmt::format("the run has {}, and its frames go with those of the file one by "
                                "one",
                                frames_of_run),
                    "give a file of one frame, or of as many");
    read.sha256.push_back(of_file.front().sha256);
    CombinedSource source{file.name, {}};
    for (io::Wavefunction& wavefunction : of_file)
        source.frames.push_back(
            {std::move(wavefunction), static_cast<int>(source.frames.size()) + 1, {}});
    return source;
}

/// A frame of the run.
CombinedSource numbered_source(const std::string& number, const std::vector<OrbitalFrame>& frames) {
    const auto index = static_cast<std::size_t>(std::stoi(number));
    if (index > frames.size())
        throw Error("--combine: there is no frame " + number,
                    fmt::format("the files hold {}", frames.size()),
                    fmt::format("choose from 1 to {}", frames.size()));
    return {number, {frames[index - 1]}};
}

}  // namespace

void read_sources(const OrbitalInput& input, FramesRead& read) {
    for (const NamedFile& file : parse_named_files(input.with))
        read.sources.push_back(read_source(file, read.frames.size(), read));
    std::set<std::string> known{""};
    for (const CombinedSource& source : read.sources) known.insert(source.name);
    for (const Combination& combination : parse_combinations(input.combine))
        for (const std::string& name : sources_of(combination))
            if (known.insert(name).second)
                read.sources.push_back(numbered_source(name, read.frames));
}

void check_combinations(const OrbitalInput& input, PreparedOrbitals& prepared) {
    prepared.tracked = input.track;
    prepared.different_geometries = input.different_geometries;
    constexpr double worth_a_note = 1e-6;  // bohr
    double displacement = 0;
    for (std::size_t c = 0; c < prepared.combinations.size(); ++c)
        for (std::size_t frame = 0; frame < prepared.frames.size(); ++frame)
            displacement = std::max(displacement, combine(prepared, frame, c).displacement);
    if (displacement > worth_a_note)
        prepared.messages.push_back(
            fmt::format("note: atoms that are combined lie up to {:.1g} bohr apart, which a "
                        "difference of densities shows at the nuclei",
                        displacement));
}

std::vector<std::int32_t> surfaces_of_combinations(const PreparedOrbitals& prepared) {
    std::vector<std::int32_t> chosen;
    for (std::size_t c = 0; c < prepared.combinations.size(); ++c)
        if ((prepared.combinations[c].of_orbitals() ? prepared.orbital_level
                                                    : prepared.density_level) > 0)
            chosen.push_back(static_cast<std::int32_t>(c));
    return chosen;
}

}  // namespace tessera::orbitals

// Reads the files of a run (declared in prepare.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "io/wavefunctions/model_warnings.hpp"
#include "orbitals/basis/natural_orbitals.hpp"
#include "orbitals/tiles/combined_sources.hpp"
#include "orbitals/tiles/points.hpp"
#include "orbitals/tiles/prepare.hpp"

namespace tessera::orbitals {

namespace {

std::string describe(const OrbitalFrame& frame) {
    const io::Wavefunction& w = frame.wavefunction;
    return fmt::format("{}: {} atoms, {} basis functions, {} orbitals", w.path, w.nuclei.size(),
                       w.basis_functions(), w.orbitals.size());
}

/// The frames whose numbers are in `list`, or all frames if it is empty.
std::vector<OrbitalFrame> chosen(const std::string& list, std::vector<OrbitalFrame> all) {
    if (list.empty()) return all;
    std::vector<OrbitalFrame> frames;
    for (const int number : parse_numbers("--frames", list, static_cast<int>(all.size()))) {
        if (std::ranges::count(frames, number, &OrbitalFrame::number) > 0)
            throw Error(fmt::format("--frames: {} is asked for twice", number),
                        "every frame is written once", "name it once");
        frames.push_back(all[static_cast<std::size_t>(number - 1)]);
    }
    return frames;
}

void add_warnings(const std::vector<OrbitalFrame>& frames, std::vector<std::string>& messages) {
    for (const OrbitalFrame& frame : frames)
        for (const std::string& warning : frame.wavefunction.warnings)
            if (std::ranges::count(messages, "warning: " + warning) == 0)
                messages.push_back("warning: " + warning);
}

void isolate(std::vector<CombinedSource>& sources) {
    for (CombinedSource& source : sources)
        for (OrbitalFrame& frame : source.frames) io::isolate(frame.wavefunction);
}

}  // namespace

FramesRead read_frames(const OrbitalInput& input, std::vector<std::string>& messages) {
    FramesRead read;
    std::vector<OrbitalFrame>& frames = read.frames;
    std::vector<std::string> told;
    for (const std::string& path : input.paths) {
        std::vector<io::Wavefunction> of_file =
            io::read_wavefunctions(path, input.natural_orbitals);
        if (of_file.empty())
            throw Error("there is no frame to evaluate", "'" + path + "' holds none",
                        "check the files");
        read.sha256.push_back(of_file.front().sha256);
        for (io::Wavefunction& wavefunction : of_file) {
            if (input.isolated) io::isolate(wavefunction);
            if (!input.natural_orbitals.empty()) take_natural_orbitals(wavefunction, told);
            frames.push_back({std::move(wavefunction), static_cast<int>(frames.size()) + 1, {}});
        }
    }
    if (!input.points.empty()) {
        PointList list = read_points(input.points);
        read.points = std::move(list.points);
        read.sha256.push_back(list.sha256);
    }
    read_sources(input, read);
    frames = chosen(input.frames, std::move(frames));
    messages.push_back(describe(frames[0]) +
                       (frames.size() > 1 ? fmt::format(", {} frames", frames.size()) : ""));
    if (input.isolated) isolate(read.sources);
    messages.insert(messages.end(), told.begin(), told.end());
    add_warnings(frames, messages);
    for (const CombinedSource& source : read.sources) add_warnings(source.frames, messages);
    return read;
}

}  // namespace tessera::orbitals

// Reads the files of a run (declared in prepare.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "io/text/counted.hpp"
#include "io/wavefunctions/model_warnings.hpp"
#include "orbitals/basis/natural_orbitals.hpp"
#include "orbitals/basis/natural_transition_orbitals.hpp"
#include "orbitals/tiles/combined_sources.hpp"
#include "orbitals/tiles/points.hpp"
#include "orbitals/tiles/prepare.hpp"
#include "orbitals/tiles/transition_file.hpp"

namespace tessera::orbitals {

namespace {

std::string describe(const OrbitalFrame& frame) {
    const io::Wavefunction& w = frame.wavefunction;
    return fmt::format("{}: {}, {}, {}", w.path, io::counted(w.nuclei.size(), "atom"),
                       io::counted(w.basis_functions(), "basis function"),
                       io::counted(w.orbitals.size(), "orbital"));
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

void take_transition(const std::string& path, FramesRead& read, std::vector<std::string>& told) {
    if (read.frames.size() > 1)
        throw Error(
            fmt::format("--natural-transition-orbitals: there are {} frames", read.frames.size()),
            "the matrix belongs to the orbitals of one", "give a file with this frame");
    io::Wavefunction& frame = read.frames[0].wavefunction;
    const TransitionFile file = read_transition_file(path, frame);
    read.sha256.push_back(file.sha256);
    take_natural_transition_orbitals(frame, file.matrices, told);
}

}  // namespace

FramesRead read_frames(const OrbitalInput& input, std::vector<std::string>& messages) {
    FramesRead read;
    std::vector<OrbitalFrame>& frames = read.frames;
    std::vector<std::string> told;
    const std::string transition_file = transition_file_of(input);
    const io::WantedMatrices wanted{input.natural_orbitals,
                                    transition_file.empty() ? input.transition_orbitals : ""};
    for (const std::string& path : input.paths) {
        std::vector<io::Wavefunction> of_file = io::read_wavefunctions(path, wanted);
        if (of_file.empty())
            throw Error("there is no frame to evaluate", "'" + path + "' holds none",
                        "check the files");
        read.sha256.push_back(of_file.front().sha256);
        for (io::Wavefunction& wavefunction : of_file) {
            if (input.isolated) io::isolate(wavefunction);
            if (!input.natural_orbitals.empty()) take_natural_orbitals(wavefunction, told);
            if (!wanted.transition.empty()) take_natural_transition_orbitals(wavefunction, told);
            frames.push_back({std::move(wavefunction), static_cast<int>(frames.size()) + 1, {}});
        }
    }
    if (!transition_file.empty()) take_transition(transition_file, read, told);
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

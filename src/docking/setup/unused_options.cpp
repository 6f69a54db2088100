#include "docking/setup/unused_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera::docking {

namespace {

using Names = std::vector<std::string>;

/// The options that only refined poses need.
Names options_of_refinement(const RestraintOptions& options) {
    const RestraintOptions defaults;
    Names names;
    if (options.weight) names.emplace_back("--restraints-weight");
    if (options.closeness != defaults.closeness) names.emplace_back("--restraints-closeness");
    if (options.pull != defaults.pull) names.emplace_back("--restraints-pull");
    return names;
}

}  // namespace

std::vector<std::string> unused_options(const DockInput& input) {
    const DockInput defaults;
    std::vector<std::string> lines;
    const auto add = [&](const Names& names, const char* why) {
        if (!names.empty())
            lines.push_back(
                fmt::format("{} {}, so that nothing changes", fmt::join(names, ", "), why));
    };
    Names of_restraints = options_of_refinement(input.restraints), of_refinement;
    if (input.consensus.duplicate_radius != defaults.consensus.duplicate_radius)
        of_refinement.emplace_back("--duplicate-radius");
    if (input.restraints.files.empty()) {
        if (input.restraints.tolerance != defaults.restraints.tolerance)
            of_restraints.insert(of_restraints.begin(), "--restraints-tolerance");
        add(of_restraints, "without --restraints: there are no restraints");
    } else {
        of_refinement.insert(of_refinement.end(), of_restraints.begin(), of_restraints.end());
    }
    if (input.consensus.refine == 0) add(of_refinement, "without --refine: no poses are refined");
    if (!input.rotation_file.empty() && input.rotations != defaults.rotations)
        add({"--rotations"}, "with --rotation-file: the rotations are those of the file");
    return lines;
}

}  // namespace tessera::docking

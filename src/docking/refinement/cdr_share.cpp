#include "docking/refinement/cdr_share.hpp"

#include <algorithm>
#include <cstddef>

namespace tessera::docking {

bool has_cdrs(const CdrAtoms& in_cdr) {
    return std::ranges::any_of(in_cdr, [](const auto& flags) { return !flags.empty(); });
}

double cdr_share(const ContactCounter& counter, const CdrAtoms& in_cdr,
                 const kernels::RigidPose& pose) {
    const std::vector<bool>&receptor = in_cdr[0], &ligand = in_cdr[1];
    std::int64_t contacts = 0, by_cdrs = 0;
    counter.for_each_pair(pose, [&](int, std::size_t i, std::size_t j) {
        ++contacts;
        by_cdrs += !receptor.empty() && receptor[i];
        by_cdrs += !ligand.empty() && ligand[j];
    });
    const int antibodies = static_cast<int>(!receptor.empty()) + static_cast<int>(!ligand.empty());
    if (contacts == 0 || antibodies == 0) return 0;
    return static_cast<double>(by_cdrs) / static_cast<double>(contacts * antibodies);
}

}  // namespace tessera::docking

#include "kokkos_kernels/device/device_binding.hpp"

#include <sched.h>

#include <bit>
#include <cstring>
#include <numeric>

namespace tessera::kernels {

namespace {

int cores_in(const CoreSet& set) {
    return std::transform_reduce(set.begin(), set.end(), 0, std::plus{},
                                 [](std::uint64_t word) { return std::popcount(word); });
}

}  // namespace

CoreSet allowed_cores() {
    CoreSet set{};
    static_assert(sizeof set == sizeof(cpu_set_t));
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        std::memcpy(set.data(), &allowed, sizeof allowed);
    return set;
}

int core_share(int node_rank, const std::vector<CoreSet>& all) {
    const CoreSet& mine = all[static_cast<std::size_t>(node_rank)];
    CoreSet any{};
    for (const CoreSet& set : all)
        for (std::size_t i = 0; i < any.size(); ++i) any[i] |= set[i];
    const auto before = static_cast<int>(std::count(all.begin(), all.begin() + node_rank, mine));
    const auto sharers = static_cast<int>(std::count(all.begin(), all.end(), mine));
    const int of_mine = cores_of_rank(before, sharers, cores_in(mine));
    return std::min(of_mine, cores_of_rank(node_rank, static_cast<int>(all.size()), cores_in(any)));
}

}  // namespace tessera::kernels

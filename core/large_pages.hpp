// Memory in large pages.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tessera {

/// Asks the system to back memory that has not been used yet by large pages. All of it should be
/// written soon. A grid of 200 MB then costs a hundred page faults instead of 50,000, which took a
/// fifth of the time of derived fields. Small memory, and other systems, are left as they are.
inline void prefer_large_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t page = std::uintptr_t{1} << 21;
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    const std::uintptr_t first = (begin + page - 1) / page * page,
                         end = (begin + bytes) / page * page;
    if (end >= first + 4 * page)
        madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#endif
}

}  // namespace tessera

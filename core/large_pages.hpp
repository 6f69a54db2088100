// Memory in large pages.
#pragma once

#include <cstddef>
#include <memory>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tessera {

/// Asks the system to back memory that has not been used yet by large pages. All of it should be
/// written soon. A grid of 200 MB then costs a hundred page faults instead of 50,000, which took a
/// quarter of the time of derived fields. Small memory, and other systems, are left as they are.
inline void prefer_large_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::size_t page = std::size_t{1} << 21, few = 4 * page;
    if (std::align(page, few, data, bytes) != nullptr)
        madvise(data, bytes / page * page, MADV_HUGEPAGE);
#endif
}

}  // namespace tessera

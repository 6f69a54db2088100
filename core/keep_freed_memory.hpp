// Freed memory that is used again.
#pragma once

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tessera {

/// Lets the process keep memory that it has freed, and take it again later. By default glibc gives
/// large blocks back to the system, which has to fill fresh pages with zeros for the next ones. For
/// a command that ends after some milliseconds that is a large part of the work. Other C libraries
/// are left as they are.
inline void keep_freed_memory() {
#ifdef __GLIBC__
    constexpr int most = 256 << 20;  // bytes
    mallopt(M_MMAP_THRESHOLD, most);
    mallopt(M_TRIM_THRESHOLD, most);
#endif
}

}  // namespace tessera

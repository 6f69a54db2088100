// The memory of this machine, as the operating system reports it.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace tessera {

/// The bytes of an entry of /proc/meminfo ("MemTotal", "MemAvailable"), or 0 if there is no such
/// entry.
inline std::int64_t host_memory(const std::string& entry) {
    std::ifstream file("/proc/meminfo");
    for (std::string key, rest; file >> key; std::getline(file, rest)) {
        std::int64_t kibibytes = 0;
        if (key == entry + ":" && file >> kibibytes) return kibibytes * 1024;
    }
    return 0;
}

}  // namespace tessera

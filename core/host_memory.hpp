// What the operating system says of this machine's memory.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace tessera {

/// Bytes of an entry of /proc/meminfo ("MemTotal", "MemAvailable"); 0 where the system does not say.
inline std::int64_t host_memory(const std::string& entry) {
    std::ifstream file("/proc/meminfo");
    for (std::string key, rest; file >> key; std::getline(file, rest)) {
        std::int64_t kibibytes = 0;
        if (key == entry + ":" && file >> kibibytes) return kibibytes * 1024;
    }
    return 0;
}

}  // namespace tessera

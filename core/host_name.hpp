// The name of this machine.
#pragma once

#include <unistd.h>

#include <string>

namespace tessera {

inline std::string host_name() {
    char host[64] = "";
    gethostname(host, sizeof(host) - 1);
    return host;
}

}  // namespace tessera

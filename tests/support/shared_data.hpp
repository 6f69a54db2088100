// Reference data beside the repository, which not every machine has.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace tessera::test {

/// ../shared/data/NAME, or TESSERA_SHARED_DIR/data/NAME; may not be there.
inline std::filesystem::path shared_data(const char* name) {
    const char* const given = std::getenv("TESSERA_SHARED_DIR");
    const std::filesystem::path shared = given ? given : TESSERA_SOURCE_DIR "/../shared";
    return shared / "data" / name;
}

}  // namespace tessera::test

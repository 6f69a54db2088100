#include "io/files/data_files.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "core/error.hpp"

namespace tessera::io {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> data_folders() {
    std::vector<fs::path> folders;
    if (const char* given = std::getenv("TESSERA_DATA"); given && *given)
        folders.emplace_back(given);
    std::error_code unreadable;
    const fs::path program = fs::read_symlink("/proc/self/exe", unreadable);
    if (!unreadable) {
        folders.push_back(program.parent_path() / ".." / "share" / "tessera");
        // A portable installation has its programs in libexec/tessera/LEVEL.
        folders.push_back(program.parent_path() / "../../../share/tessera");
    }
    folders.emplace_back(TESSERA_SOURCE_DATA_DIR);
    return folders;
}

}  // namespace

std::optional<std::string> optional_data_file(const std::string& name) {
    std::vector<fs::path> folders = data_folders();
    folders.emplace_back(TESSERA_FETCHED_DATA_DIR);
    for (const fs::path& folder : folders) {
        const fs::path candidate = (folder / name).lexically_normal();
        std::error_code ignored;
        if (fs::is_regular_file(candidate, ignored)) return candidate.string();
    }
    return std::nullopt;
}

std::string data_file(const std::string& name) {
    if (const auto found = optional_data_file(name)) return *found;
    std::string looked_in;
    for (const fs::path& folder : data_folders())
        looked_in += (looked_in.empty() ? "" : ", ") + folder.lexically_normal().string();
    throw Error("data file " + name + " is missing", "looked in " + looked_in,
                "set TESSERA_DATA to the folder that holds it, or install again");
}

}  // namespace tessera::io

#include "docking/pairs/table_fields.hpp"

#include <filesystem>
#include <utility>

namespace tessera::docking {

namespace fs = std::filesystem;

std::vector<std::string> chain_names(const std::string& field) {
    std::vector<std::string> names;
    std::string name;
    for (const char c : field + ";") {
        if (c != ';' && c != ',' && c != ' ') {
            name += c;
        } else if (!name.empty()) {
            names.push_back(std::exchange(name, {}));
        }
    }
    return names;
}

std::string name_of_structure(const std::string& path) {
    const fs::path file = fs::path(path).filename();
    return (file.extension() == ".gz" ? file.stem() : file).stem().string();
}

std::string path_beside(const std::string& table, const std::string& path) {
    return (fs::path(table).parent_path() / path).lexically_normal().string();
}

}  // namespace tessera::docking

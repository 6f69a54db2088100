// JSON as Python writes it.
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace tessera::test {

/// NaN, which JSON does not know, becomes null.
inline nlohmann::json parsed(const std::filesystem::path& path) {
    std::ifstream file(path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    return nlohmann::json::parse(std::regex_replace(text, std::regex("\\bNaN\\b"), "null"));
}

}  // namespace tessera::test

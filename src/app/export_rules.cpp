#include "app/export_rules.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::app {

namespace {

/// One spelling for each place, also for places that do not exist yet.
std::filesystem::path place_of(const std::string& path) {
    std::error_code failed;
    auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
    if (failed) place = std::filesystem::path(path).lexically_normal();
    return place.has_filename() ? place : place.parent_path();
}

}  // namespace

void require_distinct(const std::vector<NamedOutput>& outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!outputs[i].path.empty() && !outputs[j].path.empty() &&
                place_of(outputs[i].path) == place_of(outputs[j].path))
                throw Error("cannot write '" + io::one_line(outputs[i].path) + "' twice",
                            std::string(outputs[j].option) + " and " + outputs[i].option +
                                " both name it",
                            "give each a name of its own");
}

}  // namespace tessera::app

#include "app/single_result.hpp"

#include <filesystem>

#include "core/error.hpp"

namespace tessera::app {

void refuse_folder(const std::string& path, const std::string& product) {
    namespace fs = std::filesystem;
    if (!fs::is_directory(path)) return;
    const std::string problem = "'" + path + "' is a folder";
    const fs::path summary = fs::path(path) / "pairs.csv";
    if (fs::exists(summary))
        throw Error(problem, product + " is made of one result",
                    "read '" + summary.string() +
                        "', which is the table of all pairs, or give the "
                        "file NAME.h5 of a pair");
    if (fs::exists(fs::path(path) / "run"))
        throw Error(problem, "its run is not finished", "see tessera info " + path);
    throw Error(problem, product + " is made of one result", "give the file of a run");
}

}  // namespace tessera::app

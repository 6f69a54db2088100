// The programs of this machine that could do a job.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tessera::choice {

struct Build {
    std::string name;     ///< "cuda", "x86-64-v4"; other programs have their path, or "this build"
    std::string program;  ///< its path
    std::string why_not;  ///< why it cannot be tried, or empty
};

/// The programs of the installation that holds the program `self`, and those of `further`, a list
/// of paths that are separated by colons. `level` is the only one of the installation that the user
/// wants (TESSERA_CPU), or empty.
std::vector<Build> find_builds(const std::filesystem::path& self, const std::string& further,
                               const std::string& level);

/// As find_builds(), for this program and the variables TESSERA_BUILDS and TESSERA_CPU.
std::vector<Build> installed_builds();

/// Whether a folder of PATH has this program.
bool is_in_path(const std::string& program);

}  // namespace tessera::choice

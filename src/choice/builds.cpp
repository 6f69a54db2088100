#include "choice/builds.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "core/processor_levels.hpp"

namespace tessera::choice {

namespace fs = std::filesystem;

namespace {

/// bin/tessera of a portable installation starts one of these (src/choose_program.cpp).
std::vector<Build> builds_in(const fs::path& folder, const std::string& level) {
    std::vector<Build> builds;
    for (const ProcessorLevel& one : processor_levels()) {
        const fs::path program = folder / one.name / "tessera";
        if (!fs::exists(program)) continue;
        Build build{one.name, program.string(), ""};
        if (!one.runs_here)
            build.why_not = "this processor lacks its vector units";
        else if (!level.empty() && level != one.name)
            build.why_not = "TESSERA_CPU asks for " + level;
        builds.push_back(build);
    }
    return builds;
}

bool is_portable(const fs::path& folder) {
    return folder.filename() == "tessera" && folder.parent_path().filename() == "libexec";
}

std::string from_environment(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

}  // namespace

std::vector<Build> find_builds(const fs::path& self, const std::string& further,
                               const std::string& level) {
    const fs::path folder = self.parent_path().parent_path();
    std::vector<Build> builds = is_portable(folder)
                                    ? builds_in(folder, level)
                                    : std::vector{Build{"this build", self.string(), ""}};
    std::istringstream list(further);
    for (std::string path; std::getline(list, path, ':');) {
        const auto is_same = [&](const Build& build) {
            std::error_code missing;
            return fs::equivalent(build.program, path, missing);
        };
        if (path.empty() || std::ranges::any_of(builds, is_same)) continue;
        const bool runs = ::access(path.c_str(), X_OK) == 0 && !fs::is_directory(path);
        builds.push_back({path, path, runs ? "" : "there is no such program"});
    }
    return builds;
}

std::vector<Build> installed_builds() {
    return find_builds(fs::read_symlink("/proc/self/exe"), from_environment("TESSERA_BUILDS"),
                       from_environment("TESSERA_CPU"));
}

bool is_in_path(const std::string& program) {
    std::istringstream folders(from_environment("PATH"));
    for (std::string folder; std::getline(folders, folder, ':');)
        if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    return false;
}

}  // namespace tessera::choice

// bin/tessera of a portable installation. Becomes the program in libexec/tessera that was compiled
// for the widest vector units of this processor. The arguments stay as they are, and so does the
// process, to which MPI belongs.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "core/processor_levels.hpp"
#include "core/terminal.hpp"

namespace {

namespace fs = std::filesystem;
using tessera::ProcessorLevel;

fs::path program_of(const ProcessorLevel& level) {
    const fs::path self = fs::read_symlink("/proc/self/exe");
    return self.parent_path().parent_path() / "libexec/tessera" / level.name / "tessera";
}

/// The level that TESSERA_CPU names. Throws Error if it cannot be had.
ProcessorLevel wanted_level(const std::string& name) {
    for (const ProcessorLevel& level : tessera::processor_levels()) {
        if (name != level.name) continue;
        if (!level.runs_here)
            throw tessera::Error("TESSERA_CPU=" + name + " does not run here",
                                 "this processor lacks vector units of that level",
                                 "unset TESSERA_CPU");
        if (::access(program_of(level).c_str(), X_OK) != 0)
            throw tessera::Error("TESSERA_CPU=" + name + " is not installed",
                                 "cannot run " + program_of(level).string(), "unset TESSERA_CPU");
        return level;
    }
    throw tessera::Error("TESSERA_CPU=" + name + " is no level", "environment",
                         "give x86-64, x86-64-v3, x86-64-v4 or cuda, or unset TESSERA_CPU");
}

/// Returns only if there is no such program, or if the system does not start it.
void become(const ProcessorLevel& level, char** argv) {
    // The first argument stays, too: results note the command as it was typed.
    ::execv(program_of(level).c_str(), argv);
}

[[noreturn]] void become_best(char** argv) {
    if (const char* name = std::getenv("TESSERA_CPU"); name && *name) {
        become(wanted_level(name), argv);
    } else {
        for (const ProcessorLevel& level : tessera::processor_levels())
            if (level.runs_here) become(level, argv);
    }
    throw tessera::Error("no program of tessera starts",
                         "tried " + program_of({"*", true}).string(), "install tessera again");
}

}  // namespace

int main(int /*argc*/, char** argv) {
    try {
        become_best(argv);
    } catch (const std::exception& error) {
        tessera::print_line(stderr, std::string("tessera: ") + error.what());
        return static_cast<int>(tessera::ExitCode::usage);
    }
}

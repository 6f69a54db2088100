#include "app/merge_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "core/error.hpp"
#include "core/terminal.hpp"
#include "docking/screen/merge_parts.hpp"
#include "engine/build_record.hpp"
#include "io/text/counted.hpp"

namespace tessera::app {

void MergeCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("merge", "Join the parts of a screening and compare all pairs");
    command_->footer("Example:\n"
                     "  tessera merge parts/* -o merged/\n"
                     "The parts are the folders of tessera screen --part 1/N to N/N.");
    command_->add_option("parts", parts_, "folders of all parts, in any order")->required();
    command_->add_option("-o,--output", output_, "folder to make")->required();
}

int MergeCommand::run() const {
    docking::MergedScreening merged;
    try {
        merged = docking::merge_parts(parts_, output_, engine::program_version());
    } catch (const std::filesystem::filesystem_error& error) {
        throw Error("cannot merge into '" + output_ + "'", error.what(), "check the disk",
                    ExitCode::resources);
    }
    print_line(stdout,
               fmt::format("{} of {}, {} failed, {} of poses", io::counted(merged.pairs, "pair"),
                           io::counted(parts_.size(), "part"), merged.failed,
                           io::counted(merged.shards, "file")));
    print_line(stdout, "written: " + (std::filesystem::path(output_) / "screen.csv").string());
    return 0;
}

}  // namespace tessera::app

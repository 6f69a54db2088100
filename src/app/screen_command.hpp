// tessera screen RECEPTORS LIGANDS -o FOLDER
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "app/dock_command.hpp"
#include "app/redocking.hpp"
#include "app/rerun_command.hpp"
#include "core/stop_flag.hpp"
#include "docking/screen/screen_job.hpp"
#include "docking/setup/dock_choices.hpp"
#include "docking/setup/dock_input.hpp"
#include "mpi/communicator.hpp"

namespace tessera::app {

/// Docks every receptor of a list coarsely with every ligand of another, scores how likely they are
/// partners, and docks the best pairs again if asked to.
class ScreenCommand {
  public:
    ScreenCommand();
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    /// Makes the run refuse proteins that are not those of the screening in this folder.
    void expect(ExpectedInput input) { expected_ = std::move(input); }
    /// Called by all ranks. Returns 0 if all pairs are done. Throws SharedError if a pair failed or
    /// a signal stopped the run.
    int run(const mpi::Communicator& world, const std::string& command_line, const StopFlag& stop);

    // For plans.
    /// The validated input of all pairs.
    const docking::DockInput& finished_input() {
        finish_input();
        return input_;
    }
    const RunOptions& options() const { return options_; }
    docking::ScreenRequest request() const {
        return {receptors_, ligands_, options_.output, options_.force, part_, pairs_per_shard_};
    }

  private:
    /// Turns the options into the validated input.
    void finish_input();
    std::string config_path() const;
    docking::ScreenFilesContext files_context(const docking::ScreenJob& job,
                                              io::RunRecord record) const;
    void screen(const mpi::Communicator& world, docking::ScreenJob& job,
                const std::string& command_line, const StopFlag& stop,
                const kernels::DeviceRuntime& device);

    CLI::App* command_ = nullptr;
    docking::DockInput input_;
    docking::DockChoices choices_;
    RunOptions options_;
    std::string receptors_, ligands_, part_text_;
    docking::ScreenPart part_;
    std::size_t pairs_per_shard_ = 2048;
    std::int64_t redock_ = 0;
    std::string redock_config_;
    std::unique_ptr<Redocking> redocking_;
    ExpectedInput expected_;
};

}  // namespace tessera::app

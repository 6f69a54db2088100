// tessera rescore RESULT.h5 -o OUT.h5
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <optional>
#include <string>

#include "app/rerun_command.hpp"
#include "docking/result/dock_result.hpp"
#include "docking/setup/dock_input.hpp"
#include "docking/setup/prepare.hpp"
#include "io/hdf5/run_record.hpp"

namespace tessera::app {

/// Recomputes the consensus of a docking run with other weights, radii or another reference. It
/// does not dock again.
class RescoreCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    int run(const std::string& command_line) const;
    /// For `tessera rerun`.
    void expect(ExpectedInput input) { expected_ = std::move(input); }

  private:
    bool asks_for_something() const;
    /// The input of the run, changed by the options.
    docking::DockInput changed(docking::DockInput input) const;
    /// The atoms of the partners whose files are gone, and what was left out of both. Throws Error
    /// if the result lacks atoms that are needed.
    docking::StoredStructures stored_in(const docking::DockResult& result,
                                        const docking::DockInput& input) const;
    /// Writes the result. `docked` is the command line that docked its poses.
    void write(const docking::DockResult& result, const io::RunRecord& record,
               const std::string& docked) const;

    CLI::App* command_ = nullptr;
    std::string path_, output_;
    std::string rescoring_;
    std::optional<std::int64_t> repack_;
    std::optional<double> duplicate_radius_, cluster_radius_;
    std::optional<std::size_t> clusters_;
    std::string receptor_, ligand_, reference_, pair_potential_;
    bool force_ = false, quiet_ = false;
    int report_ = 10;
    ExpectedInput expected_;
};

}  // namespace tessera::app

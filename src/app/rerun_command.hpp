// tessera rerun RESULT.h5 [-o OUT.h5]
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tessera::app {

/// The input that a run must have: that of an earlier run.
struct ExpectedInput {
    std::string file;    ///< the earlier result; empty: any input is good
    std::string sha256;  ///< of its options and input files

    /// Throws Error if the input is another one.
    void check(const std::string& found) const;
};

/// The input of the run that made a result.
ExpectedInput result_input(const std::string& path);

/// Runs a result's command again, with the options that the result holds.
class RerunCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    /// The words of the run, of which the first is `program`. `options` are the program's own, not
    /// parsed. Throws Error if the result does not hold its options.
    std::vector<std::string> words(const std::string& program, const CLI::App& options) const;
    ExpectedInput expected() const;

  private:
    std::string output() const;

    CLI::App* command_ = nullptr;
    std::string path_, output_, device_;
    double gpu_fraction_ = 0;  ///< 0: as in the run
    bool force_ = false, quiet_ = false;
};

}  // namespace tessera::app

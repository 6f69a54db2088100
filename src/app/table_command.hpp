// tessera table RUN.h5
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <limits>
#include <string>

#include "io/hdf5/h5.hpp"
#include "io/text/value_table.hpp"

namespace tessera::app {

/// Prints the poses, orbitals, stars or fitted parameters of a result as a table.
class TableCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    int run() const;

  private:
    io::ValueTable read_table(const io::h5::Group& root) const;
    void write(const io::ValueTable& table, const io::TextSink& sink) const;

    CLI::App* command_ = nullptr;
    std::string path_, output_, sets_, pair_;
    std::int64_t rows_ = std::numeric_limits<std::int64_t>::max();
    bool csv_ = false, json_ = false, parquet_ = false, force_ = false, stars_ = false,
         points_ = false, draws_ = false;
};

}  // namespace tessera::app

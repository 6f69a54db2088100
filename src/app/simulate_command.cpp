#include "app/simulate_command.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

#include "app/option_checks.hpp"
#include "core/terminal.hpp"
#include "io/hdf5/output_path.hpp"
#include "io/streams/star_file.hpp"
#include "io/streams/stream_parameters.hpp"
#include "io/text/counted.hpp"
#include "likelihood/model/evaluation_checks.hpp"
#include "likelihood/simulate/simulate.hpp"

namespace tessera::app {

void SimulateCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("simulate", "Draw random stars from the model of a wedge");
    command_->footer("Example:\n"
                     "  tessera simulate wedge.toml --number 100000 --seed 7 -o stars.txt");
    auto& o = *command_;
    o.add_option("parameters", parameters_, "parameter file: TOML or a MilkyWay@Home text file")
        ->required();
    o.add_option("-o,--output", output_,
                 "star file to write: the number of stars, then one line l b r for each star; with "
                 "observables a CSV table")
        ->required();
    o.add_option("--number", number_, "number of stars")
        ->check(whole_number<std::int64_t>(1, 1'000'000'000));
    o.add_option("--seed", seed_, "seed of the random numbers")
        ->check(whole_number<std::uint64_t>());
    model_.declare(o);
    o.add_flag("--force", force_, "replace an existing output");
    o.add_flag("--quiet", quiet_, "print errors only");
}

/// Writes the stars. Returns the number of stars of each component, the background first.
std::vector<std::int64_t> SimulateCommand::draw(const io::StreamModel& model) const {
    constexpr std::int64_t at_once = 1 << 20;  // stars held in memory
    const likelihood::StarDrawer drawer(model, seed_);
    std::optional<io::StarFileWriter> file;  // opened only when the first stars are there
    std::vector<std::int64_t> counts(model.streams.size() + 1, 0);
    for (std::int64_t first = 0; first < number_; first += at_once) {
        std::vector<io::Star> stars;
        std::vector<int> components;
        for (const auto& one : drawer.draw(first, std::min(at_once, number_ - first))) {
            stars.push_back(one.star);
            components.push_back(one.component);
            ++counts[static_cast<std::size_t>(one.component)];
        }
        if (!file) file.emplace(output_, number_, model.observables);
        file->add(stars, components);
    }
    file->commit();
    return counts;
}

int SimulateCommand::run() const {
    io::keep_source(output_, parameters_);
    io::check_output_path(output_, force_, io::is_written_star_file);
    const auto model = io::read_stream_parameters(parameters_, model_.choices());
    likelihood::require_streams(model, parameters_);
    for (const std::string& warning : model.warnings)
        if (!quiet_) print_line(stderr, "warning: " + warning);
    const std::vector<std::int64_t> counts = draw(model);
    if (quiet_) return 0;
    for (std::size_t s = 0; s < counts.size(); ++s)
        print_line(stdout, (s == 0 ? "background" : "stream " + std::to_string(s)) + ": " +
                               io::counted(counts[s], "star"));
    print_line(stdout, "written: " + output_);
    return 0;
}

}  // namespace tessera::app

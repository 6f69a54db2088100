#include "runs.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "docking/setup/call_options.hpp"
#include "io/files/sha256.hpp"
#include "io/text/option_file.hpp"
#include "likelihood/fit/fit_alone.hpp"
#include "likelihood/fit/fit_config.hpp"
#include "likelihood/model/evaluation_checks.hpp"
#include "process_device.hpp"

namespace tessera::python {

namespace {

std::string sha256_of(const std::vector<io::Star>& stars) {
    std::vector<double> places;
    for (const io::Star& star : stars) {
        places.insert(places.end(), {star.l, star.b, star.r});
        places.insert(places.end(), star.observed.begin(), star.observed.end());
    }
    return io::sha256_of(std::string_view(reinterpret_cast<const char*>(places.data()),
                                          places.size() * sizeof(double)));
}

bool in_files(const std::vector<StarRows>& stars) {
    return std::ranges::all_of(stars, [](const StarRows& table) { return table.numbers.empty(); });
}

/// A wedge of `input`, with these stars or with those of its file.
likelihood::WedgeInput wedge_of(const likelihood::LikelihoodInput& input, std::size_t w,
                                const StarRows& stars) {
    likelihood::LikelihoodInput one = input;
    one.parameters = {input.parameters[w]};
    one.stars = {input.stars[w]};
    if (stars.numbers.empty()) return std::move(likelihood::read_wedges(one).front());
    likelihood::WedgeInput wedge;
    wedge.model_text = io::read_parameter_text(one.parameters.front());
    wedge.model = io::parse_stream_parameters(wedge.model_text, input.choices);
    io::load_files(wedge.model);
    wedge.stars = checked_stars(stars, wedge.model.observables);
    wedge.stars_sha256 = sha256_of(wedge.stars);
    likelihood::require_usable(one, wedge, 0);
    return wedge;
}

std::vector<likelihood::WedgeInput> wedges_of(const likelihood::LikelihoodInput& input,
                                              const std::vector<StarRows>& stars) {
    if (in_files(stars)) return likelihood::read_wedges(input);
    std::vector<likelihood::WedgeInput> wedges;
    for (std::size_t w = 0; w < stars.size(); ++w) wedges.push_back(wedge_of(input, w, stars[w]));
    return wedges;
}

/// What /run says of a call. `config` is the command that does the same, if there is one.
io::RunRecord record_of(const std::string& call, const std::string& config,
                        const std::string& no_command, const kernels::DeviceInfo& device) {
    io::RunRecord record;
    record.command_line = call;
    record.no_command = no_command;
    if (no_command.empty())
        record.config = config + io::option_line({"device", {name_of(device.backend)}}, false);
    return record;
}

}  // namespace

engine::ResultWriter dock(const std::string& options, double memory_gib) {
    const docking::DockInput input = docking::input_of_options(options);
    const kernels::DeviceInfo& device = running_device();
    const io::RunRecord record =
        record_of("tessera.dock() in Python", docking::config_of_options(options),
                  docking::why_no_command(input), device);
    engine::ResultWriter result;
    compute_long([&](Interruption& interruption) {
        result = docking::dock_alone(
            input, {device, memory_gib, record, &interruption.stop, interruption.look});
    });
    return result;
}

engine::ResultWriter fit(likelihood::LikelihoodInput input, const std::vector<StarRows>& stars,
                         const likelihood::FitChoices& choices) {
    const std::string no_command =
        in_files(stars) ? "" : "only the memory of a process held the stars";
    input.evaluation.fall_back = false;  // as the command
    likelihood::validate(input);
    const likelihood::FitProblem problem = likelihood::make_fit_problem(
        input, wedges_of(input, stars), [&](const io::TextSource& parameters) {
            return choices.settings(parameters, "the call of fit");
        });
    const kernels::DeviceInfo& device = running_device();
    const io::RunRecord record = record_of(
        "tessera.fit() in Python", likelihood::config_of(input, choices), no_command, device);
    engine::ResultWriter result;
    compute_long([&](Interruption& interruption) {
        const auto stop = [&] {
            interruption.look();
            return interruption.stop.load();
        };
        result = likelihood::fit_alone(input, problem, {device, record, stop});
    });
    return result;
}

std::vector<likelihood::SimulatedStar> simulate(const io::StreamModel& model,
                                                const std::string& parameters, std::int64_t number,
                                                std::uint64_t seed) {
    if (number < 1 || number > 1'000'000'000)
        throw Error("number is " + std::to_string(number), "it is the number of stars",
                    "choose between 1 and 1000000000");
    likelihood::require_streams(model, parameters);
    return likelihood::StarDrawer(model, seed).draw(0, number);
}

}  // namespace tessera::python

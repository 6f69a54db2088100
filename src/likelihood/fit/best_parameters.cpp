#include "likelihood/fit/best_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "io/streams/stream_parameters.hpp"
#include "io/text/shell_word.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/fit/joint_parameters.hpp"
#include "likelihood/model/model_values.hpp"
#include "likelihood/model/recorded_input.hpp"

namespace tessera::likelihood {

namespace {

RecordedInput input_of(const io::h5::Group& root) {
    auto input =
        recorded_input(root.open_group("run").read_attribute<std::string>("input"), root.file());
    if (input.models.empty())
        throw Error("cannot use '" + root.file() + "'", "its attribute /run/input is not of a fit",
                    "give an unchanged result");
    return input;
}

io::StreamModel best_model(const io::h5::Group& root, const FitResult& fit,
                           const io::StreamModel& start, std::size_t wedge) {
    const auto names = parameter_names(start);
    auto values = parameter_values(start);
    for (std::size_t i = 0; i < fit.free.size(); ++i) {
        const auto name = name_in_wedge(fit.free[i], wedge);
        if (!name) continue;
        const auto found = std::ranges::find(names, *name);
        if (found == names.end())
            root.refuse("/fit/names", "its model has no parameter " + fit.free[i].name);
        values[static_cast<std::size_t>(found - names.begin())] = fit.best[i];
    }
    io::StreamModel best = with_values(start, values);
    io::validate(best, root.file());
    return best;
}

/// What a stream of a wedge shares with others.
struct SharedStream {
    std::string number, fields;
};

/// The table [fit] of a wedge, with which another fit goes on from here. Empty if nothing of the
/// wedge was fitted.
std::string fit_table(const FitResult& fit, std::size_t wedge) {
    std::string free, bounds, shared;
    std::map<std::string, SharedStream> streams;  // by their common names
    for (const FreeParameter& one : fit.free) {
        const auto name = name_in_wedge(one, wedge);
        if (!name) continue;
        free += fmt::format("{}\"{}\"", free.empty() ? "" : ", ", *name);
        bounds += fmt::format("\"{}\" = [{}, {}]\n", *name, one.lower, one.upper);
        if (one.places.empty()) continue;
        SharedStream& stream = streams[one.name.substr(0, one.name.find('.'))];
        const std::size_t dot = name->find('.');
        stream.number = name->substr(6, dot - 6);
        stream.fields +=
            fmt::format("{}\"{}\"", stream.fields.empty() ? "" : ", ", name->substr(dot + 1));
    }
    if (free.empty()) return "";
    for (const auto& [name, stream] : streams)
        shared += fmt::format("{} = {{ stream = {}, parameters = [{}] }}\n", name, stream.number,
                              stream.fields);
    if (!shared.empty()) shared = "[fit.shared]\n" + shared;
    return fmt::format("\n[fit]\nstart = \"file\"\nfree = [{}]\n[fit.bounds]\n{}{}", free, bounds,
                       shared);
}

}  // namespace

std::string likelihood_command(const io::h5::Group& root,
                               const std::vector<std::string>& parameters) {
    const RecordedInput input = input_of(root);
    const auto words = [](const std::vector<std::string>& paths) {
        std::string line;
        for (const std::string& path : paths) line += " " + io::shell_word(path);
        return line;
    };
    std::string line = fmt::format("tessera likelihood{} --stars{} --tolerance {}",
                                   words(parameters), words(input.stars), input.tolerance);
    const auto add = [&](const char* option, const std::string& value, const char* otherwise) {
        if (value != otherwise) line += fmt::format(" --{} {}", option, io::shell_word(value));
    };
    add("integration", input.integration, "compressed");
    add("quadrature", input.quadrature, "milkyway");
    add("precision", input.precision, "double");
    if (input.allow_stars_outside) line += " --allow-stars-outside";
    if (input.allow_empty_streams) line += " --allow-empty-streams";
    return line + " -o likelihood.h5";
}

std::vector<std::string> best_parameters(const io::h5::Group& root) {
    const FitResult fit = read_fit_result(root);
    const auto models = input_of(root).models;
    std::vector<std::string> texts;
    for (std::size_t w = 0; w < models.size(); ++w) {
        const std::string of_wedge =
            models.size() == 1 ? "" : fmt::format(" of wedge {} of {}", w + 1, models.size());
        texts.push_back(fmt::format("# tessera fit, the best parameters{}: search_likelihood = "
                                    "{:.17g}{}\n",
                                    of_wedge, fit.likelihood,
                                    of_wedge.empty() ? "" : " over the stars of all wedges") +
                        io::to_toml(best_model(root, fit, models[w], w)) + fit_table(fit, w));
    }
    return texts;
}

}  // namespace tessera::likelihood

#include "likelihood/fit/stream_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "likelihood/fit/joint_parameters.hpp"
#include "likelihood/model/random_stream.hpp"

namespace tessera::likelihood {

namespace {

constexpr std::uint64_t folds_key = 0x666f6c6473;  // separates their numbers from others

/// The number of the stream that "stream3.mu" belongs to; 0: of no stream.
int stream_of(const std::string& name) {
    int number = 0;
    if (name.starts_with("stream"))
        std::from_chars(name.data() + 6, name.data() + name.size(), number);
    return number;
}

/// A name in the settings of a wedge, or nothing if there is no such stream now. `alone`: names
/// have no wedge then.
std::optional<std::string> remaining(const std::string& name, std::size_t wedge,
                                     const Numbers& numbers, bool alone) {
    if (!name.starts_with("wedge"))
        return stream_of(name) > numbers[wedge] ? std::nullopt : std::optional(name);
    for (std::size_t w = 0; w < numbers.size(); ++w)
        if (const auto own = name_in_wedge(name, w)) {
            if (stream_of(*own) > numbers[w]) return std::nullopt;  // or left out
            return alone ? *own : name;
        }
    return std::nullopt;
}

/// The settings of a wedge whose later streams are missing.
io::FitSettings with_streams(io::FitSettings settings, std::size_t wedge, const Numbers& numbers,
                             bool alone) {
    for (auto* names : {&settings.free, &settings.fix, &settings.profile}) {
        std::vector<std::string> kept;
        for (const std::string& name : *names)
            if (auto own = remaining(name, wedge, numbers, alone)) kept.push_back(std::move(*own));
        *names = std::move(kept);
    }
    std::erase_if(settings.bounds, [&](const io::ParameterBounds& one) {
        return stream_of(one.name) > numbers[wedge];
    });
    return settings;
}

}  // namespace

StreamNumbers::StreamNumbers(const LikelihoodInput& input, const FitProblem& whole,
                             SettingsOf settings_of)
    : input_(input), whole_(whole), settings_of_(std::move(settings_of)) {
    for (std::size_t w = 0; w < whole.wedges.size(); ++w) {
        const auto streams = std::ssize(whole.wedges[w].model.streams);
        if (streams < most())
            throw Error(fmt::format("cannot fit '{}' with {}", io::one_line(input.parameters[w]),
                                    io::counted(most(), "stream")),
                        fmt::format("the file has {}", streams),
                        "add as many [[stream]] as --streams allows at most");
    }
    if (!whole.settings.shared.empty())
        throw Error("cannot choose the number of streams that wedges share",
                    "which stream they share depends on the number",
                    "leave --streams or the shared parameters out");
}

Numbers StreamNumbers::alone(std::size_t wedge, int streams) const {
    Numbers numbers(wedges(), left_out);
    numbers[wedge] = streams;
    return numbers;
}

/// Each star is dealt out by its number alone, so that all numbers of streams have the same folds.
std::vector<Star> StreamNumbers::stars_of(std::size_t wedge, StarPart part) const {
    const std::vector<Star>& all = whole_.wedges[wedge].stars;
    if (part == all_stars) return all;
    std::vector<Star> stars;
    for (std::size_t i = 0; i < all.size(); ++i) {
        RandomStream random{whole_.settings.seed, folds_key, wedge, i};
        const auto fold = 1 + static_cast<int>(random.index(static_cast<std::size_t>(folds())));
        if ((fold == std::abs(part)) == (part < 0)) stars.push_back(all[i]);
    }
    return stars;
}

FitProblem StreamNumbers::problem(const Numbers& numbers, StarPart part) const {
    LikelihoodInput input = input_;
    input.parameters.clear(), input.stars.clear();
    std::vector<WedgeInput> wedges;
    std::vector<std::size_t> places;
    for (std::size_t w = 0; w < numbers.size(); ++w) {
        if (numbers[w] == left_out) continue;
        places.push_back(w);
        wedges.push_back({whole_.wedges[w].model, stars_of(w, part), whole_.wedges[w].model_text,
                          whole_.wedges[w].stars_sha256});
        wedges.back().model.streams.resize(static_cast<std::size_t>(numbers[w]));
        input.parameters.push_back(input_.parameters[w]);
        input.stars.push_back(input_.stars[w]);
    }
    const bool alone = places.size() == 1;
    auto next = places.begin();
    const auto settings_of = [&](const io::TextSource& text) {
        const std::size_t wedge = *next++;
        const io::FitSettings all = settings_of_(text);
        io::FitSettings own = with_streams(all, wedge, numbers, alone);
        if (alone && own.free.empty() && !all.free.empty())
            throw Error(fmt::format("cannot choose the number of streams of '{}'",
                                    io::one_line(input_.parameters[wedge])),
                        fmt::format("nothing of it is fitted with {} of them", numbers[wedge]),
                        "fit the parameters of all its streams, or leave --streams out");
        return own;
    };
    return make_fit_problem(input, std::move(wedges), settings_of);
}

std::vector<Point> StagedObjective::prepared(std::span<const Point> points) {
    const auto wedges = static_cast<std::ptrdiff_t>(numbers_.wedges());
    std::vector<Point> own;
    Numbers numbers;
    StarPart part = all_stars;
    for (const Point& point : points) {
        const auto end = point.end() - 1;
        own.emplace_back(point.begin(), end - wedges);
        numbers.assign(end - wedges, end);
        part = static_cast<StarPart>(point.back());
    }
    if (numbers == now_ && part == part_) return own;
    on_models_.reset();
    evaluators_.clear();
    now_.clear();  // in case of an error
    problem_ = numbers_.problem(numbers, part);
    evaluators_ = make_evaluators(numbers_.input(), problem_, backend_);
    on_models_ = std::make_unique<StreamObjective>(*problem_.space, evaluators_);
    now_ = std::move(numbers);
    part_ = part;
    return own;
}

std::vector<double> StagedObjective::values(std::span<const Point> points) {
    if (points.empty()) return {};
    const auto own = prepared(points);
    return on_models_->values(own);
}

std::vector<Slope> StagedObjective::slopes(std::span<const Point> points) {
    if (points.empty()) return {};
    const auto own = prepared(points);
    auto found = on_models_->slopes(own);
    for (Slope& slope : found) slope.gradient.resize(points.front().size(), 0.0);
    return found;
}

std::vector<Point> StageQuestions::asked(std::span<const Point> points) const {
    std::vector<Point> asked(points.begin(), points.end());
    for (Point& point : asked) {
        point.insert(point.end(), numbers_.begin(), numbers_.end());
        point.push_back(part_);
    }
    return asked;
}

std::vector<double> StageQuestions::values(std::span<const Point> points) {
    return each_.values(asked(points));
}

std::vector<Slope> StageQuestions::slopes(std::span<const Point> points) {
    auto found = each_.slopes(asked(points));
    for (Slope& slope : found) slope.gradient.resize(slope.gradient.size() - numbers_.size() - 1);
    return found;
}

}  // namespace tessera::likelihood

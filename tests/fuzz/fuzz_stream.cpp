// libFuzzer entry: any bytes are a wedge's parameters, or its stars, that keep their promises, or
// one line of an Error. FUZZ_READER chooses: read_parameters (TOML and both text layouts, with what
// a fit takes from them), read_stars or read_selection.
#include <cmath>
#include <cstdint>
#include <string>

#include "fuzz.hpp"
#include "io/streams/fit_settings.hpp"
#include "io/streams/prior_settings.hpp"
#include "io/streams/star_file.hpp"
#include "io/streams/stream_parameters.hpp"
#include "io/streams/stream_tracks.hpp"
#include "likelihood/fit/stream_space.hpp"
#include "likelihood/model/random_stream.hpp"
#include "likelihood/model/track.hpp"

namespace {

using namespace tessera;
using fuzz::expect_line;
using fuzz::require;

void check(const io::StreamModel& model) {
    require(!io::complaint_about(model), "a model that was read is in range");
    for (const double value : likelihood::parameter_values(model))
        require(std::isfinite(value), "its values are numbers");
    for (const io::Area& area : model.areas)
        for (const io::Cells& cells : {area.r, area.mu, area.nu})
            require(cells.steps > 0 && std::isfinite(cells.min) && cells.min < cells.max,
                    "its areas have cells");
}

/// The pieces of a track are numbers, and meet.
void check_track(const io::Stream& stream) {
    const auto pieces = likelihood::track_pieces(stream);
    require(pieces.size() >= 3, "a track has pieces");
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        double begin[3], end[3];
        pieces[p].place.at(p == 0 ? 0 : pieces[p].first, begin);
        for (const double x : begin) require(std::isfinite(x), "its places are numbers");
        if (p < 2) continue;
        pieces[p - 1].place.at(pieces[p - 1].last, end);
        for (int i = 0; i < 3; ++i)
            require(std::abs(begin[i] - end[i]) <= 1e-9 * (1 + std::abs(end[i])) * 1e3,
                    "its pieces meet");
    }
}

/// A fit may go anywhere within its bounds.
void check_fit(const io::StreamModel& model, const io::FitSettings& settings) {
    const likelihood::StreamSpace space(model, likelihood::free_parameters(model, settings));
    for (const auto& free : space.free())
        require(std::isfinite(free.lower) && std::isfinite(free.upper) && free.lower < free.upper,
                "bounds are a range");
    likelihood::RandomStream random{1, 2};
    const auto drawn = space.random_point(random);
    for (const auto& point : {space.point(model), drawn, space.varied(drawn, random),
                              space.image_near(drawn, space.point(model))}) {
        const auto values = space.values(space.folded(point));
        for (std::size_t i = 0; i < values.size(); ++i)
            require(values[i] >= space.free()[i].lower && values[i] <= space.free()[i].upper,
                    "points are within the bounds");
        check(space.model(space.folded(point)));
    }
}

[[maybe_unused]] void read_parameters(const io::TextSource& source) {
    const io::ModelChoices none, later{io::Model::model2018, io::Turnoff::newby2011, {}},
        power_law{{}, {}, io::Profile::broken_power_law};
    for (const io::ModelChoices& choices : {none, later, power_law})
        expect_line([&] {
            const io::StreamModel model = io::parse_stream_parameters(source, choices);
            check(model);
            for (const io::Stream& stream : model.streams)
                if (!stream.knots.empty()) check_track(stream);
            check_fit(model, io::parse_fit_settings(source));
        });
    expect_line([&] { io::parse_fit_settings(source); });
    expect_line([&] {
        for (const io::PriorSetting& prior : io::parse_priors(source))
            require(prior.sd > 0 || prior.lower < prior.upper, "priors are distributions");
    });
}

[[maybe_unused]] void read_stars(const io::TextSource& source) {
    expect_line([&] {
        const std::vector<io::Star> found = io::parse_stars(source);
        require(!found.empty(), "there are stars");
        for (const io::Star& star : found)
            require(std::abs(star.l) <= 360 && std::abs(star.b) <= 90 && star.r > 0 &&
                        std::isfinite(star.r),
                    "stars are in the sky");
    });
    expect_line([&] {
        io::Stream stream;
        stream.knots = io::parse_track(source);
        if (!io::complaint_about_track(stream)) check_track(stream);
    });
    const std::vector<io::Observable> observables{{"x", "x", "x_error"}, {"y", "y", "", {"c"}}};
    expect_line([&] {
        for (const io::Star& star : io::parse_stars(source, observables))
            require(star.observed.size() == io::observed_numbers(2) &&
                        (std::isnan(star.observed[0]) || star.observed[2] >= 0),
                    "stars have observables");
    });
}

[[maybe_unused]] void read_selection(const io::TextSource& source) {
    const io::SelectionSource stated{.file = "in.csv", .ordering = "nested", .nside = 4};
    for (const io::SelectionSource& from : {io::SelectionSource{}, stated})
        expect_line([&] {
            const auto selection = io::parse_selection(source, from);
            for (int i = 0; i < 40; ++i) {
                const double t = 0.7 * i;
                const Vec3 unit{std::cos(t) * std::cos(3 * t), std::sin(t) * std::cos(3 * t),
                                std::sin(3 * t)};
                const double share = selection->at({23.0 * i, 3 * t - 40, t, unit, unit});
                require(share >= 0 && share <= 1, "completeness is a share");
            }
        });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    FUZZ_READER({"in.txt", std::string(reinterpret_cast<const char*>(data), size)});
    return 0;
}

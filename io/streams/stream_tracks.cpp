#include "io/streams/stream_tracks.hpp"

#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "core/units.hpp"
#include "io/streams/star_columns.hpp"
#include "io/streams/star_file.hpp"
#include "io/streams/stream_parameters.hpp"
#include "io/streams/track_table.hpp"
#include "io/text/text_file.hpp"

namespace tessera::io {

namespace {

constexpr InputKind track_file{"track file", "give a CSV or ECSV table with columns l, b and r",
                               std::size_t{4} << 20, "give a row for each knot only"};
constexpr double sun = 8.5;  // kpc from the Galactic centre

constexpr TrackShift shifts[] = {{"first_across", &Stream::first_across},
                                 {"first_away", &Stream::first_away},
                                 {"last_across", &Stream::last_across},
                                 {"last_away", &Stream::last_away}};
constexpr std::string_view of_straight_streams[] = {"mu", "r", "theta", "phi"};

}  // namespace

std::span<const TrackShift> track_shifts() { return shifts; }

Keys stream_keys() {
    Keys keys{"epsilon", "sigma", "track"};
    keys.insert(keys.end(), std::begin(of_straight_streams), std::end(of_straight_streams));
    for (const TrackShift& shift : shifts) keys.push_back(shift.key);
    return keys;
}

Vec3 galactocentric(double l, double b, double r) {
    const double across = r * std::cos(b * units::degree);
    return {across * std::cos(l * units::degree) - sun, across * std::sin(l * units::degree),
            r * std::sin(b * units::degree)};
}

void read_track(const CheckedTable& table, const std::string& parameters, Stream& stream) {
    for (const std::string_view key : of_straight_streams)
        if (table.has(key))
            table.refuse(nullptr, fmt::format("'{}' has no effect on a stream with a track", key),
                         "remove it, or remove the track");
    for (const TrackShift& shift : shifts) stream.*shift.value = table.number(shift.key, 0);
    const CheckedTable track = table.table("track", {"xyz", "lbr", "file"});
    if (track.has("xyz") + track.has("lbr") + track.has("file") != 1)
        track.refuse(nullptr, "a track needs its knots once",
                     "give one of: xyz = [[x, y, z], ...], lbr = [[l, b, r], ...] or file = "
                     "\"track.csv\"");
    if (track.has("file")) {
        const std::string file = track.word("file");
        if (file.empty()) track.refuse(nullptr, "'file' of a track is empty", "name a file");
        stream.track_file = (std::filesystem::path(parameters).parent_path() / file).string();
        return;
    }
    const bool cartesian = track.has("xyz");
    for (const auto& [x, y, z] : track.triples(cartesian ? "xyz" : "lbr")) {
        if (const auto problem = cartesian ? std::nullopt : problem_of({x, y, z}))
            track.refuse(
                nullptr,
                fmt::format("knot {} of a track: {}", stream.knots.size() + 1, problem->why),
                "write knots as [l, b, r], in degrees and kpc");
        stream.knots.push_back(cartesian ? Vec3{x, y, z} : galactocentric(x, y, z));
    }
    if (stream.knots.empty())
        track.refuse(nullptr, "a track has no knots", "give two knots or more");
}

void refuse_shifts(const CheckedTable& table) {
    for (const TrackShift& shift : shifts)
        if (table.has(shift.key))
            table.refuse(nullptr,
                         fmt::format("'{}' has no effect on a stream without a track", shift.key),
                         "remove it, or give a track");
}

std::vector<Vec3> parse_track(const TextSource& source) {
    std::vector<Vec3> knots;
    for (const Star& knot : parse_stars(source))
        knots.push_back(galactocentric(knot.l, knot.b, knot.r));
    return knots;
}

void load_track(Stream& stream) {
    if (stream.track_file.empty()) return;
    stream.knots = parse_track(read_text_file(stream.track_file, track_file));
    if (const auto complaint = complaint_about_track(stream))
        throw Error("cannot use track file '" + stream.track_file + "'", complaint->why,
                    complaint->what_to_do);
}

}  // namespace tessera::io

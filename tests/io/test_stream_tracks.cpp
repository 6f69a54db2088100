// Streams with tracks: what files say and must not say.
#include "io/streams/stream_tracks.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "core/error.hpp"
#include "io/stream_texts.hpp"
#include "io/temporary_folder.hpp"

namespace {

using namespace tessera::io;
using tessera::test::later_toml;
using tessera::test::parse;

std::string with_stream(const std::string& lines) {
    const std::string text = later_toml;
    const std::size_t at = text.find("[[area]]");
    return text.substr(0, at) + "[[stream]]\n" + lines + "\n" + text.substr(at);
}

std::string with_track(const std::string& track) {
    return with_stream("epsilon = -1\nsigma = 0.5\ntrack = " + track);
}

void expect_track_refused(const std::string& text, const std::string& words) {
    std::string line;
    try {
        parse(text);
    } catch (const tessera::Error& error) {
        line = error.what();
    }
    EXPECT_TRUE(std::regex_search(line, std::regex(words))) << "not " << words << ": " << line;
}

TEST(StreamTracks, KnotsAreCartesianOrOnTheSky) {
    const Stream xyz = parse(with_track("{ xyz = [[-8.5, 0, 10], [-4, 1.5, 9]] }")).streams.at(0);
    ASSERT_EQ(xyz.knots.size(), 2u);
    EXPECT_EQ(xyz.knots[1].y, 1.5);
    EXPECT_EQ(xyz.epsilon, -1);
    EXPECT_EQ(xyz.sigma, 0.5);
    EXPECT_EQ(xyz.first_across, 0);
    // 10 kpc to the pole, then 8.5 kpc to the Galactic centre, or 2 kpc towards l = 90 degrees
    const Stream lbr = parse(with_track("{ lbr = [[20, 90, 10], [0, 0, 8.5]] }")).streams.at(0);
    EXPECT_NEAR(lbr.knots[0].x, -8.5, 1e-14);
    EXPECT_NEAR(lbr.knots[0].z, 10, 1e-14);
    EXPECT_NEAR(lbr.knots[1].x, 0, 1e-14);
    const Stream side = parse(with_track("{ lbr = [[20, 90, 10], [90, 0, 2]] }")).streams.at(0);
    EXPECT_NEAR(side.knots[1].y, 2, 1e-14);
}

TEST(StreamTracks, ShiftsMayBeGiven) {
    const Stream stream =
        parse(with_track("{ xyz = [[-8.5, 0, 10], [-4, 1.5, 9]] }\nlast_away = -0.25")).streams[0];
    EXPECT_EQ(stream.last_away, -0.25);
    EXPECT_EQ(stream.first_away, 0);
}

TEST(StreamTracks, AFileIsReadFromTheFolderOfTheParameters) {
    const tessera::test::TemporaryFolder folder;
    const std::string parameters = folder / "wedge.toml";
    std::ofstream(parameters) << with_track("{ file = \"track.csv\" }");
    std::ofstream(folder / "track.csv") << "name,r,l,b\na,10,20,90\nb,9,20,80\n";
    const Stream stream = read_stream_parameters(parameters).streams.at(0);
    ASSERT_EQ(stream.knots.size(), 2u);
    EXPECT_NEAR(stream.knots[0].z, 10, 1e-14);
    std::ofstream(folder / "track.csv") << "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n"
                                           "# - {name: l, unit: deg, datatype: float64}\n"
                                           "# - {name: b, unit: deg, datatype: float64}\n"
                                           "# - {name: distance, unit: pc, datatype: float64}\n"
                                           "l,b,distance\n20,90,7000\n20,80,9000\n";
    EXPECT_NEAR(read_stream_parameters(parameters).streams.at(0).knots.at(0).z, 7, 1e-14);
    std::ofstream(folder / "track.csv") << "l,b,r\n20,90,7\n";
    EXPECT_THROW(read_stream_parameters(parameters), tessera::Error);
}

TEST(StreamTracks, ToTomlAndBackKeepsEveryNumber) {
    StreamModel model = parse(with_track("{ lbr = [[20, 60, 10], [40, 55, 9.1], [60, 51, 8.3]] }\n"
                                         "first_across = 0.1\nlast_away = -0.3"));
    const StreamModel again = parse(to_toml(model));
    ASSERT_EQ(again.streams.size(), model.streams.size());
    ASSERT_EQ(again.streams[0].knots.size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(again.streams[0].knots[k].x, model.streams[0].knots[k].x);
        EXPECT_EQ(again.streams[0].knots[k].y, model.streams[0].knots[k].y);
        EXPECT_EQ(again.streams[0].knots[k].z, model.streams[0].knots[k].z);
    }
    EXPECT_EQ(again.streams[0].first_across, 0.1);
    EXPECT_EQ(again.streams[0].last_away, -0.3);
    EXPECT_EQ(again.streams[0].sigma, 0.5);
}

TEST(StreamTracks, WhatCannotBeUsedIsRefused) {
    const std::string two = "[[-8.5, 0, 10], [-4, 1.5, 9]]";
    expect_track_refused(with_track("{ xyz = " + two + " }\nmu = 30"), "'mu' has no effect.*track");
    expect_track_refused(with_track("{ xyz = " + two + ", lbr = " + two + " }"), "knots once");
    expect_track_refused(with_track("{ }"), "knots once");
    expect_track_refused(with_track("{ xyz = [] }"), "no knots");
    expect_track_refused(with_track("{ xyz = [[1, 2], [3, 4]] }"), "three numbers each");
    expect_track_refused(with_track("{ xyz = [[1, 2, \"3\"], [3, 4, 5]] }"), "three numbers each");
    expect_track_refused(with_track("{ xyz = [[1, 2, 3]] }"), "has 1 knot\\)");
    expect_track_refused(with_track("{ xyz = [[1, 2, 3], [1, 2, 3]] }"), "place of the one before");
    expect_track_refused(with_track("{ xyz = [[1, 2, 3], [-8.5, 0, 0]] }"), "at the Sun");
    expect_track_refused(with_track("{ xyz = [[1, 2, 3], [5, 2, 3], [2, 3, 3]] }"),
                         "60 degrees at knot 2");
    expect_track_refused(with_track("{ xyz = [[1, 2, 3], [1e9, 2, 3]] }"), "coordinate of knot 2");
    expect_track_refused(with_track("{ lbr = [[20, 60, 10], [55, 140, 9]] }"),
                         "knot 2.*not an angle");
    expect_track_refused(with_track("{ lbr = [[20, 60, -10], [40, 55, 9]] }"),
                         "knot 1.*not positive");
    expect_track_refused(with_track("{ path = \"a.csv\" }"), "did you mean");
    expect_track_refused(with_track("{ file = \"\" }"), "'file' of a track is empty");
    expect_track_refused(with_track("{ xyz = " + two + " }\nfirst_across = 1e9"), "first_across");
    expect_track_refused(
        with_stream("epsilon = -1\nmu = 30\nr = 20\ntheta = 1\nphi = 0\nsigma = 2\n"
                    "first_away = 0.1"),
        "without a track");
}

}  // namespace

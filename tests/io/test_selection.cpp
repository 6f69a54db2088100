// Selection functions: HEALPix pixels by the formulas of their paper, tables of bins, lists of
// pixels, and what a parameter file says of them.
#include "io/streams/selection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <regex>
#include <string>

#include "core/error.hpp"
#include "io/streams/stream_parameters.hpp"
#include "io/temporary_folder.hpp"

namespace tessera::io {
namespace {

/// The middle of a pixel of the ring scheme (Gorski et al. 2005, equations 2 to 9). The first pixel
/// of a ring without a shift lies at phi = 0, as all programs have it.
Vec3 middle_of(std::int64_t pixel, std::int64_t n) {
    const std::int64_t cap = 2 * n * (n - 1), all = 12 * n * n;
    const bool south = pixel >= all - cap;
    const std::int64_t p = south ? all - 1 - pixel : pixel;  // a cap is mirrored
    double z = 0, phi = 0;
    const auto side = static_cast<double>(n);
    if (p < cap) {
        const double half = static_cast<double>(p + 1) / 2;
        const auto i = static_cast<std::int64_t>(std::sqrt(half - std::sqrt(std::floor(half)))) + 1;
        const std::int64_t j = p + 1 - 2 * i * (i - 1);
        const auto ring = static_cast<double>(i);
        z = 1 - ring * ring / (3 * side * side);
        phi = std::numbers::pi / (2 * ring) * (static_cast<double>(j) - 0.5);
    } else {
        const std::int64_t i = (p - cap) / (4 * n) + n, j = (p - cap) % (4 * n) + 1;
        const double shift = (i - n) % 2 == 0 ? 0.5 : 1;
        z = 4.0 / 3 - 2 * static_cast<double>(i) / (3 * side);
        phi = std::numbers::pi / (2 * side) * (static_cast<double>(j) - shift);
    }
    if (south) z = -z, phi = -phi;
    const double across = std::sqrt(1 - z * z);
    return {across * std::cos(phi), across * std::sin(phi), z};
}

TEST(Healpix, TheMiddleOfEachPixelIsInIt) {
    for (const std::int64_t n : {1, 2, 3, 4, 8, 16}) {
        const Healpix pixels{n, false};
        for (std::int64_t p = 0; p < pixels.pixels(); ++p)
            EXPECT_EQ(pixels.pixel_of(middle_of(p, n)), p) << n;
    }
}

/// Numbers of astropy-healpix 2.0.1.
TEST(Healpix, BothNumberingsAreThoseOfOtherPrograms) {
    struct Row {
        Vec3 at;
        std::int64_t ring64, nested64, ring1024, nested1024;
    };
    for (const Row& row : {Row{{0.3, 0.4, 0.5}, 7115, 1717, 1841846, 439702},
                           Row{{-0.3, 0.4, -0.9}, 45928, 37674, 11791258, 9644555},
                           Row{{0.1, -0.9, 0.2}, 19524, 31862, 4936776, 8156915},
                           Row{{-0.5, -0.5, 0.05}, 22816, 8207, 5845504, 2101052},
                           Row{{0.01, 0.02, 0.99}, 5, 4093, 1531, 1047989}}) {
        EXPECT_EQ((Healpix{64, false}.pixel_of(row.at)), row.ring64);
        EXPECT_EQ((Healpix{64, true}.pixel_of(row.at)), row.nested64);
        EXPECT_EQ((Healpix{1024, false}.pixel_of(row.at)), row.ring1024);
        EXPECT_EQ((Healpix{1024, true}.pixel_of(row.at)), row.nested1024);
    }
}

TEST(Healpix, NestedPixelsAreSquaresWithinSquares) {
    for (std::int64_t p = 0; p < 12 * 32 * 32; p += 7) {
        const Vec3 at = middle_of(p, 32);
        EXPECT_EQ((Healpix{32, true}.pixel_of(at)) / 4, (Healpix{16, true}.pixel_of(at)));
    }
}

std::shared_ptr<const Selection> parsed(const std::string& text, SelectionSource source = {}) {
    return parse_selection({"s.csv", text, "selection file"}, source);
}

double at(const Selection& selection, double mu, double nu, double magnitude = 20) {
    return selection.at({mu, nu, magnitude, {1, 0, 0}, {0, 1, 0}});
}

void expect_refused(const std::string& words, const std::string& text,
                    const SelectionSource& source = {}) {
    try {
        parsed(text, source);
        ADD_FAILURE() << "not refused: " << words;
    } catch (const Error& error) {
        EXPECT_TRUE(std::regex_search(error.what(), std::regex(words))) << error.what();
    }
}

TEST(SelectionTables, BinsHaveTheirCompleteness) {
    const auto table = parsed("# made up\n"
                              "mu_min,mu_max,nu_min,nu_max,r_min,r_max,completeness\n"
                              "350,360,-1,0,16,20,0.25\n350,360,-1,0,20,22,0.5\n"
                              "360,372.5,-1,1,16,22,1\n");
    EXPECT_EQ(at(*table, 355, -0.5, 19), 0.25);
    EXPECT_EQ(at(*table, -5, -0.5, 21), 0.5);  // mu counts up to whole turns
    EXPECT_EQ(at(*table, 5, 0.5, 21), 1);
    EXPECT_EQ(at(*table, 355, 0.5, 19), 0);  // in no bin
    EXPECT_EQ(at(*table, 355, -0.5, 23), 0);
    EXPECT_EQ(at(*table, 340, -0.5, 19), 0);
    EXPECT_EQ(table->magnitudes(), (std::vector<double>{16, 20, 22}));
    const auto flat = parsed("nu_max,mu_min,mu_max,nu_min,completeness\n1,0,10,-1,0.75\n");
    EXPECT_EQ(at(*flat, 5, 0, 3), 0.75);
    EXPECT_TRUE(flat->magnitudes().empty());
}

TEST(SelectionTables, KeysThatMeanNothingForTheFileAreKnown) {
    const test::TemporaryFolder folder;
    const auto unused = [&](const std::string& text, SelectionSource source) {
        source.file = folder / "s.csv";
        std::ofstream(source.file) << text;
        return unused_keys(source, *read_selection(source));
    };
    using Keys = std::vector<std::string>;
    const std::string bins = "mu_min,mu_max,nu_min,nu_max,completeness\n0,10,-1,1,0.75\n";
    EXPECT_EQ(unused(bins, {}), Keys{});
    EXPECT_EQ(unused(bins, {.nside = 64}), Keys{"nside"});
    EXPECT_EQ(unused(bins, {.coordinates = "galactic", .ordering = "ring", .column = "C"}),
              (Keys{"ordering", "coordinates", "column"}));
    const std::string pixels = "pixel,completeness\n3,0.5\n";
    EXPECT_EQ(unused(pixels, {.ordering = "ring", .nside = 4}), Keys{});
}

TEST(SelectionTables, PixelsHaveTheirCompleteness) {
    const std::string text = "pixel,completeness\n17,0.5\n" +
                             std::to_string(Healpix{4, true}.pixel_of({0, 1, 0})) + ",0.875\n";
    SelectionSource source;
    source.nside = 4, source.ordering = "nested", source.coordinates = "equatorial";
    EXPECT_EQ(at(*parsed(text, source), 0, 0), 0.875);
    source.coordinates = "galactic";
    EXPECT_EQ(at(*parsed(text, source), 0, 0), 0);
    expect_refused("add nside and ordering", text);
    source.nside = 1;
    expect_refused("pixel 17, but nside 1", text, source);
    const std::string twice = "pixel,completeness\n3,0.5\n7,1\n3,0.5\n";
    EXPECT_EQ(parsed(twice, source)->magnitudes().size(), 0u);
    expect_refused("row 4 has pixel 7, which has another value", twice + "7,0.25\n", source);
}

TEST(SelectionTables, WhatIsWrongIsToldInOneLine) {
    const std::string head = "mu_min,mu_max,nu_min,nu_max,completeness\n";
    expect_refused("bin 2 overlaps", head + "0,2,0,1,0.5\n1,3,0,1,0.5\n");
    expect_refused("completeness in row 1 is 1.5", head + "0,2,0,1,1.5\n");
    expect_refused("goes from 2 to 1 in mu", head + "2,1,0,1,0.5\n");
    expect_refused("s.csv:2.*4 fields, not 5", head + "2,1,0,1\n");
    expect_refused("s.csv:2.*'high', not a number", head + "0,2,0,1,high\n");
    expect_refused("no column nu_max", "mu_min,mu_max,nu_min,completeness\n0,1,2,0.5\n");
    expect_refused("no rows", head);
    expect_refused("more than once", head + "0,2,0,1,1\n400,402,0,1,1\n");
}

constexpr const char* wedge = R"(wedge = 82
model = "classic"
background = { q = 0.6, r0 = 12 }
[[area]]
r = { min = 16, max = 22, steps = 4 }
mu = { min = 0, max = 50, steps = 4 }
nu = { min = -1, max = 1, steps = 2 }
[selection]
)";

TEST(SelectionSources, AreRelativeToTheParameterFileAndSurviveATrip) {
    const test::TemporaryFolder folder;
    const auto write = [&](const std::string& name, const std::string& text) {
        std::ofstream(folder / name) << text;
        return folder / name;
    };
    write("it's \"a\" map.csv", "mu_min,mu_max,nu_min,nu_max,completeness\n0,50,-1,1,0.5\n");
    const std::string path = write("wedge.toml", std::string(wedge) + "file = \"gone.csv\"\n");
    EXPECT_THROW(read_stream_parameters(path), Error);
    write("wedge.toml",
          std::string(wedge) + "file = \"it's \\\"a\\\" map.csv\"\ncoordinates = \"galactic\"\n");
    const StreamModel model = read_stream_parameters(path);
    ASSERT_TRUE(model.selection);
    EXPECT_EQ(at(*model.selection, 20, 0), 0.5);
    EXPECT_EQ(model.selection_source.sha256.size(), 64u);
    const auto other = write("again.toml", to_toml(model));
    const StreamModel again = read_stream_parameters(other);
    EXPECT_EQ(at(*again.selection, 20, 0), 0.5);
    EXPECT_EQ(again.selection_source.coordinates, "galactic");
    EXPECT_EQ(again.selection_source.sha256, model.selection_source.sha256);
}

TEST(SelectionSources, UnknownWordsAreRefused) {
    const auto refused = [](const std::string& words, const std::string& lines) {
        try {
            parse_stream_parameters({"w.toml", wedge + lines, "parameter file"});
            ADD_FAILURE() << "not refused: " << lines;
        } catch (const Error& error) {
            EXPECT_TRUE(std::regex_search(error.what(), std::regex(words))) << error.what();
        }
    };
    refused("'file' is missing in selection", "nside = 4\n");
    refused("unknown key 'files' in selection.*did you mean 'file'", "files = \"x\"\n");
    refused("'coordinates' in selection is 'sky'", "file = \"x\"\ncoordinates = \"sky\"\n");
    refused("'ordering' in selection", "file = \"x\"\nordering = \"rings\"\n");
    refused("'nside' in selection is 3", "file = \"x\"\nnside = 3\n");
}

}  // namespace
}  // namespace tessera::io

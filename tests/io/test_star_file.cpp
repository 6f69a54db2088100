// Star files: what they hold, and one clear line for everything that is wrong with them.
#include "io/streams/star_file.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <chrono>
#include <fstream>
#include <random>
#include <regex>

#include "core/error.hpp"
#include "io/temporary_folder.hpp"
#include "support/mutated_text.hpp"
#include "support/shared_data.hpp"
#include "support/star_files.hpp"

namespace {

using tessera::Error;
using tessera::io::parse_stars;
using tessera::io::read_star_file;
using tessera::io::Star;

const std::string three = "3\n255.041779 51.020187 29.568275\n272.272583 61.004547 6.645269\n"
                          "341.622620 -60.799576 3.715083\n";

std::vector<Star> read(const std::string& text) {
    return parse_stars({"stars.txt", text, "star file"});
}

void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/// "" where reading succeeds.
std::string message(const std::string& text) {
    try {
        read(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::vector<Star> random_stars(std::size_t count) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> longitude(-180, 360), latitude(-90, 90), r(1e-3, 90);
    std::vector<Star> stars(count);
    for (Star& star : stars) star = {longitude(random), latitude(random), r(random)};
    return stars;
}

TEST(StarFile, ReadsCountAndStars) {
    const auto stars = read(three);
    ASSERT_EQ(stars.size(), 3u);
    EXPECT_EQ(stars[0].l, 255.041779);
    EXPECT_EQ(stars[1].b, 61.004547);
    EXPECT_EQ(stars[2].b, -60.799576);
    EXPECT_EQ(stars[2].r, 3.715083);
}

TEST(StarFile, TakesBlanksTabsWindowsLineEndsAndNoLastLineEnd) {
    EXPECT_EQ(read("  2  \r\n\r\n\t1  2\t3\r\n4 5 6").size(), 2u);
    EXPECT_EQ(read("1\n1 2 3\n\n  \n").size(), 1u);
    EXPECT_EQ(read("1\n1e2 -2.5e1 3D+1\n")[0].r, 30);
}

TEST(StarFile, EveryDamageIsNamedWithItsLine) {
    const std::pair<std::string, std::string> cases[] = {
        {"4" + three.substr(1), "says 4 stars, but it has 3"},
        {"2" + three.substr(1), "stars.txt:4.*after the 2 stars"},
        {"0\n", "number of stars is 0"},
        {"-3" + three.substr(1), "number of stars is -3"},
        {"3 4\n1 2 3\n", "first line must be only the number of stars"},
        {"99999999999999999999\n1 2 3\n", "first line must be only the number of stars"},
        {"1000000000\n1 2 3\n", "says 1000000000 stars, but it has 1"},
        {"1\n1 2 nan\n", "stars.txt:2.*r is 'nan'"},
        {"1\n1 inf 3\n", "stars.txt:2.*b is 'inf'"},
        {"1\n1e999 2 3\n", "l is '1e999'"},
        {"2\n1 2 3\n1 2 -3\n", "stars.txt:3.*distance r is not positive"},
        {"1\n1 2 0\n", "distance r is not positive"},
        {"1\n1 2 -0.0\n", "distance r is not positive"},
        {"1\n1 2\n3\n", "stars.txt:2.*ends before r"},
        {"1\n1 2 3 4\n", "stars.txt:2.*more than the three"},
        {"1\n1 2 3x\n", "r is '3x'"},
        {"1\n1,2,3\n", "l is '1,2,3'"},
        {"1\nl b r\n", "l is 'l'"},
        {"1\n20 200 3\n", "not an angle"},
        {"1\n500 20 3\n", "not an angle"},
        {"stars\n1 2 3\n", "but is 'stars'"},
    };
    for (const auto& [text, words] : cases) {
        const std::string line = message(text);
        EXPECT_TRUE(std::regex_search(line, std::regex(words))) << text << " gives " << line;
        EXPECT_TRUE(
            std::regex_match(line, std::regex("cannot read star file '[^\n]+ \\(.+\\): .+")))
            << line;
    }
}

TEST(StarFile, FilesThatAreNoTextAreRefused) {
    const tessera::test::TemporaryFolder folder;
    const auto refused = [&](const std::string& path, const char* words) {
        try {
            read_star_file(path);
            ADD_FAILURE() << path;
        } catch (const Error& error) {
            EXPECT_TRUE(std::regex_search(error.what(), std::regex(words))) << error.what();
        }
    };
    write(folder / "empty", "");
    write(folder / "blank", " \n\n");
    write(folder / "binary", std::string("3\n\0\x01\x02\xff garbage", 15));
    write(folder / "cut.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10));
    refused(folder / "empty", "empty");
    refused(folder / "blank", "contains nothing");
    refused(folder / "binary", "binary");
    refused(folder / "cut.gz", "truncated");
    refused(folder / "missing", "No such file");
    refused(folder.path().string(), "directory");
}

TEST(StarFile, WrittenStarsComeBackBitForBit) {
    const tessera::test::TemporaryFolder folder;
    const auto stars = random_stars(1000);
    tessera::test::write_star_file(folder / "stars.txt", stars);
    const auto back = read_star_file(folder / "stars.txt");
    ASSERT_EQ(back.size(), stars.size());
    for (std::size_t i = 0; i < stars.size(); ++i) {
        EXPECT_EQ(back[i].l, stars[i].l);
        EXPECT_EQ(back[i].b, stars[i].b);
        EXPECT_EQ(back[i].r, stars[i].r);
    }
    EXPECT_EQ(folder.count(), 1u);
}

TEST(StarFile, WhatItWroteIsToldFromASurvey) {
    const tessera::test::TemporaryFolder folder;
    const auto is_ours = [&](const std::string& text) {
        std::ofstream(folder / "stars.txt") << text;
        return tessera::io::is_written_star_file(folder / "stars.txt");
    };
    tessera::test::write_star_file(folder / "drawn.txt", random_stars(500));
    EXPECT_TRUE(tessera::io::is_written_star_file(folder / "drawn.txt"));
    for (const char* text : {"", "3\n", "years of work\n", "1\n16.593451 25.700525 3.715083\n",
                             "1\n16.593451000000000 25.700525000000000 3.715083000000000\n"})
        EXPECT_FALSE(is_ours(text)) << text;
}

TEST(StarFile, GzippedStarsAreTheSame) {
    const tessera::test::TemporaryFolder folder;
    const gzFile file = gzopen((folder / "stars.txt.gz").c_str(), "wb");
    ASSERT_EQ(gzwrite(file, three.data(), static_cast<unsigned>(three.size())),
              static_cast<int>(three.size()));
    gzclose(file);
    EXPECT_EQ(read_star_file(folder / "stars.txt.gz").at(2).r, 3.715083);
}

TEST(StarFile, DamagedFilesGiveStarsOrOneLine) {
    const auto good = [] {
        std::string text = "20\n";
        for (const Star& star : random_stars(20))
            text += std::to_string(star.l) + " " + std::to_string(star.b) + " " +
                    std::to_string(star.r) + "\n";
        return text;
    }();
    std::mt19937 random(7);
    int refused = 0;
    for (int i = 0; i < 20000; ++i) {
        const std::string text = tessera::test::mutated(good, random);
        try {
            for (const Star& star : read(text)) {
                ASSERT_TRUE(std::isfinite(star.l) && std::isfinite(star.b) && star.r > 0) << text;
                ASSERT_TRUE(std::isfinite(star.r)) << text;
            }
        } catch (const Error& error) {
            ++refused;
            ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        }
    }
    EXPECT_GT(refused, 5000);
    EXPECT_LT(refused, 20000);
}

TEST(StarFile, ReadsTheSurveysOwnFiles) {
    const auto path = tessera::test::shared_data("likelihood") / "classic-20-full/stars.txt";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "reference data missing: " << path;
    const auto start = std::chrono::steady_clock::now();
    const auto stars = read_star_file(path.string());
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    RecordProperty("milliseconds", std::to_string(taken.count()));
    ASSERT_EQ(stars.size(), 105909u);
    EXPECT_EQ(stars[0].l, 16.593451);
    EXPECT_EQ(stars[1].r, 25.700525);
    EXPECT_LT(taken.count(), 1000);  // tens of milliseconds where nothing else runs
}

}  // namespace

// Every file's orbitals are looked at, not only those of the first frame that are evaluated.
#include <gtest/gtest.h>

#include <algorithm>

#include "orbitals/tiles/checks.hpp"
#include "small_frames.hpp"

namespace {

using tessera::io::Wavefunction;
using tessera::orbitals::check_orbitals;
using tessera::orbitals::OrbitalFrame;
using tessera::test::one_shell;
using tessera::test::two_atoms;

// Two frames of one file, then one of another; the first orbital of each is evaluated.
std::vector<OrbitalFrame> three_frames() {
    std::vector<OrbitalFrame> frames;
    for (const char* path : {"one.molden", "one.molden", "two.molden"}) {
        frames.push_back({two_atoms(true), static_cast<int>(frames.size()) + 1, {{0}}});
        frames.back().wavefunction.path = path;
    }
    return frames;
}

void spoil(OrbitalFrame& frame, std::size_t orbital) {
    for (double& c : frame.wavefunction.orbitals[orbital].coefficients) c *= 1.5;
}

void expect_one_warning(const std::vector<OrbitalFrame>& frames,
                        std::initializer_list<const char*> parts) {
    const std::vector<std::string> warnings = check_orbitals(frames);
    ASSERT_EQ(warnings.size(), 1u);
    for (const char* const part : parts)
        EXPECT_NE(warnings[0].find(part), std::string::npos) << warnings[0];
    EXPECT_EQ(warnings[0].find('\n'), std::string::npos);
}

TEST(OrbitalChecks, GoodFilesGiveNoWarning) { EXPECT_TRUE(check_orbitals(three_frames()).empty()); }

TEST(OrbitalChecks, NormsOfEveryFileAndFrameAreLookedAt) {
    std::vector<OrbitalFrame> frames = three_frames();
    spoil(frames[2], 0);
    expect_one_warning(frames, {"not normalised", "two.molden", "frame 3", "orbital 1)", "1.2"});
    frames = three_frames();
    spoil(frames[1], 0);
    expect_one_warning(frames, {"not normalised", "one.molden", "frame 2"});
    spoil(frames[0], 0);
    expect_one_warning(frames, {"one.molden", "frame 1"});
}

TEST(OrbitalChecks, NormsOfOrbitalsThatAreNotEvaluatedAreLookedAt) {
    std::vector<OrbitalFrame> frames = three_frames();
    spoil(frames[2], 3);
    expect_one_warning(frames, {"two.molden", "orbital 4)"});
}

// Without a budget the first frame of every file is still checked, for what is evaluated.
TEST(OrbitalChecks, WorkIsBoundedButWhatIsEvaluatedIsAlwaysChecked) {
    std::vector<OrbitalFrame> frames = three_frames();
    spoil(frames[2], 3);
    EXPECT_TRUE(check_orbitals(frames, 0).empty());
    spoil(frames[1], 0);
    EXPECT_TRUE(check_orbitals(frames, 0).empty()) << "not the first frame of its file";
    spoil(frames[2], 0);
    EXPECT_EQ(check_orbitals(frames, 0).size(), 1u);
}

TEST(OrbitalChecks, PrepareWarnsOfTheSecondFile) {
    std::vector<OrbitalFrame> frames = three_frames();
    for (OrbitalFrame& frame : frames) frame.wavefunction.orbitals[0].occupation = 2;
    spoil(frames[2], 4);
    const auto messages = tessera::orbitals::prepare({}, {std::move(frames), {}}).messages;
    EXPECT_EQ(std::ranges::count_if(messages,
                                    [](const std::string& line) {
                                        return line.starts_with(
                                            "warning: orbitals of 'two.molden'");
                                    }),
              1);
}

TEST(OrbitalChecks, CopiesOfAnOrbitalOfOneSpinAreWarnedOf) {
    std::vector<OrbitalFrame> frames = three_frames();
    Wavefunction& frame = frames[0].wavefunction;
    frame.orbitals[3].coefficients = frame.orbitals[1].coefficients;
    expect_one_warning(frames, {"orbitals 2 and 4 of 'one.molden'", "the same coefficients"});
    frame.orbitals[3].spin = tessera::io::Spin::beta;
    EXPECT_TRUE(check_orbitals(frames).empty()) << "of two spins they may be the same";
}

TEST(OrbitalChecks, MoreOrbitalsOfOneSpinThanFunctionsAreWarnedOf) {
    Wavefunction frame = one_shell(1, false, {0.7}, {1});
    frame.orbitals.push_back(frame.orbitals[0]);
    frame.orbitals.back().coefficients = {0.6, 0.8, 0};
    expect_one_warning({{frame, 1, {{0}}}}, {"4 orbitals of one spin over 3 basis functions"});
    frame.orbitals.back().spin = tessera::io::Spin::beta;
    EXPECT_TRUE(check_orbitals({{frame, 1, {{0}}}}).empty());
}

}  // namespace

// What is typed for an option is taken, or refused in words that say what is wanted.
#include "app/option_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "app/dock_command.hpp"
#include "app/fit_command.hpp"
#include "app/orbital_command.hpp"
#include "app/simulate_command.hpp"
#include "core/error.hpp"

namespace {

using namespace tessera::app;

/// What parsing and settling these words says; empty where nothing is wrong.
template <class Command>
std::string complaint(std::vector<std::string> words) {
    CLI::App app;
    Command command;
    command.declare(app);
    std::reverse(words.begin(), words.end());
    try {
        app.parse(words);
        if constexpr (requires { command.finished_input(); }) command.finished_input();
    } catch (const CLI::Error& error) {
        return error.what();
    } catch (const tessera::Error& error) {
        return error.what();
    }
    return "";
}

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::string of_dock(const std::vector<std::string>& more) {
    return complaint<DockCommand>(with({"dock", "a.pdb", "b.pdb", "-o", "c.h5"}, more));
}
std::string of_orbital(const std::vector<std::string>& more) {
    return complaint<OrbitalCommand>(with({"orbital", "a.molden", "-o", "c.h5"}, more));
}
std::string of_fit(const std::vector<std::string>& more) {
    return complaint<FitCommand>(
        with({"fit", "a.toml", "--stars", "s.txt", "-o", "c.h5", "--seed"}, more));
}
std::string of_simulate(const std::vector<std::string>& more) {
    return complaint<SimulateCommand>(with({"simulate", "a.toml", "-o", "s.txt"}, more));
}

TEST(OptionChecks, WholeNumbersAreTakenAsCli11ReadsThem) {
    for (const char* good : {"0", "7", "2147483647", "0x10", "+3"})
        EXPECT_EQ(not_whole_number(good, 0, 2147483647), "") << good;
    for (const char* bad : {"abc", "-1", " -1", "1.5", "1e3", "", "7x", "nan"})
        EXPECT_EQ(not_whole_number(bad, 0, 2147483647),
                  "'" + std::string(bad) + "' is not a whole number from 0 on");
    EXPECT_EQ(not_whole_number("0", 1, 9), "'0' is not a whole number from 1 on");
    EXPECT_EQ(not_whole_number("10", 1, 9), "'10' is not a whole number from 1 to 9");
    EXPECT_NE(not_whole_number("18446744073709551616", 0, ~std::uint64_t{0}), "");
    EXPECT_EQ(not_whole_number("18446744073709551615", 0, ~std::uint64_t{0}), "");
}

TEST(OptionChecks, EveryCommandSaysWhatNumberIsWanted) {
    for (const char* bad : {"abc", "-1"}) {
        const std::string wanted = ": '" + std::string(bad) + "' is not a whole number from 0 on";
        for (const char* option : {"--seed", "--report", "--ranks-per-node", "--shuffle-tiles",
                                   "--clusters", "--clustered-poses"})
            EXPECT_EQ(of_dock({option, bad}), option + wanted);
        for (const char* option : {"--report", "--ranks-per-node", "--shuffle-tiles"})
            EXPECT_EQ(of_orbital({option, bad}), option + wanted);
        EXPECT_EQ(of_fit({bad}), "--seed" + wanted);
        EXPECT_EQ(of_simulate({"--seed", bad}), "--seed" + wanted);
    }
    EXPECT_EQ(of_simulate({"--number", "0"}), "--number: '0' is not a whole number from 1 on");
    EXPECT_EQ(of_simulate({"--seed", "18446744073709551615"}), "");
    EXPECT_EQ(of_fit({"3"}), "");
    EXPECT_EQ(of_orbital({"--shuffle-tiles", "3", "--report", "0"}), "");
}

TEST(OptionChecks, AnIsosurfaceIsAboveZero) {
    for (const char* bad : {"0", "-1", "nan", "inf", "x", "0.05x", ""})
        EXPECT_EQ(of_orbital({"--isosurface", bad}),
                  "--isosurface: '" + std::string(bad) +
                      "' is not a number above 0, at most 1000000");
    EXPECT_EQ(of_orbital({"--isosurface", "0.05"}), "");
}

TEST(OptionChecks, LengthsAreRefusedInTheirOwnUnit) {
    EXPECT_NE(of_orbital({"--spacing", "-0.1"}).find("--spacing -0.1 Angstrom is out of range"),
              std::string::npos);
    EXPECT_NE(of_orbital({"--padding", "-2bohr"}).find("--padding -2 bohr is out of range"),
              std::string::npos);
    EXPECT_EQ(of_orbital({"--spacing", "0.1", "--padding", "0"}), "");
}

TEST(OptionChecks, PaddingBelongsToNoGridOfOnesOwn) {
    EXPECT_NE(of_orbital({"--padding", "2", "--origin", "0,0,0", "--grid", "4,4,4"})
                  .find("--padding and --origin exclude each other"),
              std::string::npos);
    EXPECT_EQ(of_orbital({"--origin", "0,0,0", "--grid", "4,4,4"}), "");
}

TEST(OptionChecks, OrbitalsThatNoFileHoldsAndEmptyListsAreRefused) {
    EXPECT_EQ(of_orbital({"--orbitals", ""}), "--orbitals: '' is not a list of orbitals");
    for (const char* list : {"1:100000000000", "100000000000", "100000000000:100000000001"})
        EXPECT_NE(of_orbital({"--orbitals", list}).find("numbers go up to 2147483647"),
                  std::string::npos);
    EXPECT_NE(of_orbital({"--orbitals", "HOMO-100000000000"}).find("no file holds so many"),
              std::string::npos);
    EXPECT_EQ(of_orbital({"--orbitals", "1:12,HOMO-2"}), "");
}

}  // namespace

#include "app/missing_value.hpp"

#include <gtest/gtest.h>

#include "app/dock_command.hpp"
#include "app/fit_command.hpp"
#include "app/orbital_command.hpp"
#include "app/plan_command.hpp"
#include "app/queue_command.hpp"
#include "core/error.hpp"

namespace {

using namespace tessera::app;

std::string complaint(std::vector<std::string> words) {
    CLI::App app;
    FitCommand fit;
    DockCommand dock;
    OrbitalCommand orbital;
    PlanCommand plan;
    QueueCommand queue;
    fit.declare(app);
    dock.declare(app);
    orbital.declare(app);
    plan.declare(app);
    queue.declare(app);
    words.insert(words.begin(), "tessera");
    try {
        refuse_missing_values(app, words);
    } catch (const tessera::Error& error) {
        return error.what();
    }
    return "";
}

TEST(MissingValue, AnOptionIsNoValue) {
    EXPECT_EQ(complaint({"fit", "w.toml", "--stars", "s.txt", "--profile", "--fix", "q"}),
              "--profile has no value (the next word is '--fix'): write the value behind "
              "--profile, as --profile=VALUE if it begins with -");
    EXPECT_EQ(complaint({"fit", "-o", "--free", "background.q"}),
              "-o has no value (the next word is '--free'): write the value behind -o, as "
              "--output=VALUE if it begins with -");
    EXPECT_NE(complaint({"fit", "--free", "-o", "x.h5"}), "");
    EXPECT_NE(complaint({"fit", "--stars", "--frre=q"}), "");  // mistyped, but not a value either
    EXPECT_NE(complaint({"dock", "a.pdb", "-o", "--", "b.pdb"}), "");
    EXPECT_NE(complaint({"plan", "dock", "a.pdb", "b.pdb", "--rotations", "--json"}), "");
}

TEST(MissingValue, WhateverElseFollowsIsOne) {
    EXPECT_EQ(complaint({"fit", "w.toml", "--profile=--fix", "--stars", "s.txt", "t.txt"}), "");
    EXPECT_EQ(complaint({"dock", "a.pdb", "--membrane", "-inf,-5", "--seed", "-1"}), "");
    EXPECT_EQ(complaint({"dock", "--force", "--quiet", "-x.pdb", "--spacing"}), "");
    EXPECT_EQ(complaint({"orbital", "a.molden", "--esp-surface", "--spacing", "0.3"}), "");
    EXPECT_EQ(complaint({"queue", "submit", "--", "tessera", "fit", "--profile", "--fix"}), "");
    EXPECT_EQ(complaint({"fti", "--profile", "--fix"}), "");  // another error tells it
    EXPECT_EQ(complaint({}), "");
}

}  // namespace

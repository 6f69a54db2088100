#include "boinc/obey.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using tessera::boinc::obey;
using tessera::boinc::Requests;

/// A client that answers one after the other, the last answer for ever.
struct Answers {
    std::vector<Requests> answers;
    std::size_t asked = 0;
    int waits = 0, stops = 0;

    void run() {
        obey({[this] { return answers[std::min(asked++, answers.size() - 1)]; },
              [this] { ++waits; }, [this] { ++stops; }});
    }
};

TEST(Obey, GoesOnAtOnceIfNothingIsAsked) {
    Answers client{{{false, false}}};
    client.run();
    EXPECT_EQ(client.waits, 0);
    EXPECT_EQ(client.stops, 0);
}

TEST(Obey, WaitsUntilTheSuspensionIsOver) {
    Answers client{{{true, false}, {true, false}, {true, false}, {false, false}}};
    client.run();
    EXPECT_EQ(client.waits, 3);
    EXPECT_EQ(client.stops, 0);
}

TEST(Obey, StopsIfTheClientEndsTheTask) {
    Answers client{{{false, true}}};
    client.run();
    EXPECT_EQ(client.waits, 0);
    EXPECT_EQ(client.stops, 1);
}

TEST(Obey, StopsAlsoWhileSuspended) {
    Answers client{{{true, false}, {true, true}}};
    client.run();
    EXPECT_EQ(client.waits, 1);
    EXPECT_EQ(client.stops, 1);
}

}  // namespace

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.hpp"
#include "core/run_host.hpp"
#include "io/temporary_folder.hpp"
#include "known_objectives.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/recorded_objective.hpp"

namespace tessera::likelihood {

namespace {

using test::FunctionObjective;

constexpr io::JournalKey key{0xf17};

MaximisePlan plan() {
    MaximisePlan plan;
    plan.population = 20;
    plan.generations = 30;
    plan.tolerance = 1e-6;
    plan.gain = 1e-10;
    plan.noise = 1e-15;
    return plan;
}

/// Fails after so many batches, as a killed process does.
template <class Inner>
class Interrupted : public Objective {
  public:
    Interrupted(Inner& inner, std::size_t batches) : inner_(inner), left_(batches) {}
    std::vector<double> values(std::span<const Point> points) override {
        count();
        return inner_.values(points);
    }
    std::vector<Slope> slopes(std::span<const Point> points) override {
        count();
        return inner_.slopes(points);
    }

  private:
    void count() {
        if (left_-- == 0) throw std::runtime_error("killed");
    }
    Inner& inner_;
    std::size_t left_;
};

}  // namespace

TEST(RecordedObjective, ACheckpointBringsAllBatchesToTheDisk) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "evaluations";
    FunctionObjective objective(test::rastrigin(0.4));
    RecordedObjective recorded(objective, path, key);
    const auto synced_batches = [&] {
        int count = 0;
        io::read_journal(path, key, [&](io::Record, bool synced) { count += synced ? 1 : 0; });
        return count;
    };
    int checkpoints = 0;
    bool wanted = false;
    run_host().wants_checkpoint = [&] { return wanted; };
    run_host().checkpoint_done = [&] { ++checkpoints; };
    recorded.values(std::vector<Point>{{0.1, 0.2}});
    EXPECT_EQ(synced_batches(), 0);
    wanted = true;
    recorded.values(std::vector<Point>{{0.3, 0.4}});
    run_host() = {};
    EXPECT_EQ(synced_batches(), 2);
    EXPECT_EQ(checkpoints, 1);
}

TEST(RecordedObjective, AResumedFitEqualsAnUninterruptedOneWhereverItStopped) {
    const Space space(4);
    FunctionObjective objective(test::rastrigin(0.4));
    const auto whole = maximise(objective, space, plan());
    const std::size_t batches = objective.batches;
    ASSERT_GT(batches, 30u);
    const test::TemporaryFolder folder;
    for (std::size_t stop = 0; stop < batches; stop += 3) {
        const std::string journal = folder / std::to_string(stop);
        {
            Interrupted interrupted(objective, stop);
            RecordedObjective recorded(interrupted, journal, key);
            EXPECT_THROW(maximise(recorded, space, plan()), std::runtime_error);
        }
        // What was being written when the process died is torn.
        if (stop > 0 && stop % 2)
            std::filesystem::resize_file(journal, std::filesystem::file_size(journal) - 5);
        const std::size_t before = objective.batches;
        RecordedObjective recorded(objective, journal, key);
        const auto resumed = maximise(recorded, space, plan());
        const std::size_t kept = stop > 0 && stop % 2 ? stop - 1 : stop;
        EXPECT_EQ(static_cast<std::size_t>(recorded.batches_resumed()), kept);
        EXPECT_EQ(objective.batches - before, batches - kept) << "answers were asked for again";
        EXPECT_EQ(resumed.best.at, whole.best.at);
        EXPECT_EQ(resumed.best.value, whole.best.value);
        EXPECT_EQ(resumed.errors.covariance.values, whole.errors.covariance.values);
        ASSERT_EQ(resumed.history.size(), whole.history.size());
        for (std::size_t i = 0; i < whole.history.size(); ++i)
            EXPECT_EQ(resumed.history[i].best.at, whole.history[i].best.at);
    }
}

TEST(RecordedObjective, AnotherCourseIsRefused) {
    const test::TemporaryFolder folder;
    FunctionObjective objective(test::rastrigin(0.4));
    {
        RecordedObjective recorded(objective, folder / "journal", key);
        maximise(recorded, Space(4), plan());
    }
    auto other = plan();
    other.seed = 2;
    RecordedObjective recorded(objective, folder / "journal", key);
    EXPECT_THROW(maximise(recorded, Space(4), other), Error);
}

}  // namespace tessera::likelihood

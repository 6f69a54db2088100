#include <gtest/gtest.h>

#include "io/temporary_folder.hpp"
#include "orbitals/tiles/prepare.hpp"
#include "plan/grid_trial.hpp"
#include "support/test_device.hpp"

namespace tessera::plan {
namespace {

class GridTrials : public testing::Test {
  protected:
    GridTrials() {
        input_.paths = {TESSERA_SOURCE_DIR "/examples/water.molden"};
        input_.orbitals = "all";
        input_.spacing = {0.25, 0.25, 0.25};
    }

    GridTrial tried(const std::string& output) {
        std::vector<std::string> notes;
        const auto prepared = orbitals::prepare(input_, orbitals::read_frames(input_, notes));
        const kernels::Backend backend = test_device().backend;
        return try_grids(backend, input_, prepared, sample_orbitals(backend, input_, prepared),
                         output);
    }

    orbitals::OrbitalInput input_;
    test::TemporaryFolder folder_;
};

TEST_F(GridTrials, AreMeasuredAndLeaveNothing) {
    for (const int deflate : {0, 6}) {
        input_.deflate = deflate;
        const GridTrial trial = tried(folder_ / "run.h5");
        EXPECT_NE(trial.byte_seconds, assumed_byte_seconds(input_));
        EXPECT_EQ(trial.synced_rate == GridTrial().synced_rate, deflate > 0);
    }
    EXPECT_EQ(folder_.count(), 0u);
}

TEST_F(GridTrials, DensitiesAloneAreTriedByTheirOrbitals) {
    input_.orbitals = "";
    input_.density = true;
    EXPECT_NE(tried(folder_ / "run.h5").synced_rate, GridTrial().synced_rate);
}

TEST_F(GridTrials, AreAssumedWhereNothingCanBeWritten) {
    for (const std::string& output : {std::string(), folder_ / "none/run.h5"})
        EXPECT_EQ(tried(output).byte_seconds, assumed_byte_seconds(input_));
}

}  // namespace
}  // namespace tessera::plan

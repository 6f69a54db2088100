// What is set for Open MPI before it starts. MPI does not run in this program.
#include "mpi/open_mpi.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

namespace {

using namespace tessera::mpi;

class OpenMpiSettingsOfAProcess : public testing::Test {
  protected:
    OpenMpiSettingsOfAProcess() {
        for (const char* name : {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE",
                                 "HWLOC_COMPONENTS", "PMIX_RANK", "PMI_RANK", "PMI_SIZE", "PMI_FD",
                                 "SLURM_PROCID", "OMPI_MCA_btl", "OMPI_MCA_pml", "OMPI_MCA_osc"})
            unsetenv(name);
    }
};

TEST_F(OpenMpiSettingsOfAProcess, AreThoseOfALoneRankWithoutALauncher) {
    {
        const OpenMpiSettings settings;
        EXPECT_STREQ(std::getenv("OMPI_MCA_btl"), "self");
        EXPECT_STREQ(std::getenv("OMPI_MCA_ess_singleton_isolated"), "1");
        EXPECT_STREQ(std::getenv("OMPI_MCA_orte_create_session_dirs"), "0");
    }
    EXPECT_EQ(std::getenv("OMPI_MCA_btl"), nullptr);  // a launcher may be started from here
    EXPECT_EQ(std::getenv("OMPI_MCA_ess_singleton_isolated"), nullptr);
}

TEST_F(OpenMpiSettingsOfAProcess, LeaveWhatTheUserHasSet) {
    setenv("OMPI_MCA_btl", "tcp,self", 1);
    {
        const OpenMpiSettings settings;
        EXPECT_STREQ(std::getenv("OMPI_MCA_btl"), "tcp,self");
    }
    EXPECT_STREQ(std::getenv("OMPI_MCA_btl"), "tcp,self");
    unsetenv("OMPI_MCA_btl");
}

TEST_F(OpenMpiSettingsOfAProcess, LeaveTheNetworksToRanksOfALauncher) {
    setenv("PMIX_RANK", "0", 1);
    setenv("OMPI_MCA_osc", "sm", 1);
    const OpenMpiSettings settings;
    EXPECT_EQ(std::getenv("OMPI_MCA_btl"), nullptr);
    EXPECT_EQ(std::getenv("OMPI_MCA_ess_singleton_isolated"), nullptr);
    unsetenv("PMIX_RANK");
    unsetenv("OMPI_MCA_osc");
}

TEST_F(OpenMpiSettingsOfAProcess, LoadNoNetworkForTheRanksOfOneNode) {
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4", 1);
    {
        const OpenMpiSettings settings;
        EXPECT_STREQ(std::getenv("OMPI_MCA_pml"), "ob1");
        EXPECT_STREQ(std::getenv("OMPI_MCA_btl"), "self,vader,tcp");
        EXPECT_EQ(std::getenv("OMPI_MCA_osc"), nullptr);
        EXPECT_EQ(std::getenv("OMPI_MCA_ess_singleton_isolated"), nullptr);
    }
    EXPECT_EQ(std::getenv("OMPI_MCA_pml"), nullptr);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "2", 1);
    const OpenMpiSettings settings;
    EXPECT_EQ(std::getenv("OMPI_MCA_pml"), nullptr);
}

TEST_F(OpenMpiSettingsOfAProcess, KeepTheGpusOutOfMpi) {
    {
        const OpenMpiSettings settings;
        EXPECT_NE(std::getenv("HWLOC_COMPONENTS"), nullptr);
    }
    EXPECT_EQ(std::getenv("HWLOC_COMPONENTS"), nullptr);
    setenv("HWLOC_COMPONENTS", "no_os", 1);
    const OpenMpiSettings settings;
    EXPECT_STREQ(std::getenv("HWLOC_COMPONENTS"), "no_os");
}

}  // namespace

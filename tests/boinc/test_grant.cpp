#include "boinc/grant.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using namespace tessera::boinc;
using Words = std::vector<std::string>;

TEST(Grant, TakesTheNumberOfTheGpuFromTheCommandLine) {
    std::optional<int> gpu;
    const Words words =
        without_gpu_number({"tessera_boinc", "fit", "a.toml", "--device", "2"}, gpu);
    EXPECT_EQ(words, (Words{"tessera_boinc", "fit", "a.toml"}));
    EXPECT_EQ(gpu, 2);
}

TEST(Grant, PrefersTheNumberThatTheClientHasGiven) {
    std::optional<int> gpu = 1;
    EXPECT_EQ(without_gpu_number({"fit", "--device", "0"}, gpu), Words{"fit"});
    EXPECT_EQ(gpu, 1);
}

TEST(Grant, LeavesDevicesOfTheProgram) {
    std::optional<int> gpu;
    for (const Words& words : {Words{"fit", "--device", "openmp"}, Words{"fit", "--device", "-1"},
                               Words{"fit", "--device", "1x"}, Words{"fit", "--device"}})
        EXPECT_EQ(without_gpu_number(words, gpu), words);
    EXPECT_FALSE(gpu);
}

TEST(Grant, TellsWhichPartOfAGpuATaskHas) {
    const Words fit{"fit", "a.toml"};
    EXPECT_EQ(with_gpu_fraction(fit, {1, 0, 0.5}), (Words{"fit", "a.toml", "--gpu-fraction=0.5"}));
    for (const Grant& whole :
         {Grant{1, 0, 1}, Grant{1, 0, 2}, Grant{1, 0, 0}, Grant{1, std::nullopt, 0.5}})
        EXPECT_EQ(with_gpu_fraction(fit, whole), fit);
    for (const Words& said :
         {Words{"fit", "--gpu-fraction", "0.2"}, Words{"fit", "--gpu-fraction=0.2"}})
        EXPECT_EQ(with_gpu_fraction(said, {1, 0, 0.5}), said);
}

TEST(Grant, CountsGpusAmongThoseThatTheClientSees) {
    EXPECT_EQ(visible_gpu(1, ""), "1");
    EXPECT_EQ(visible_gpu(1, "4,7"), "7");
    EXPECT_EQ(visible_gpu(0, "GPU-8932f937"), "GPU-8932f937");
    EXPECT_EQ(visible_gpu(2, "4,7"), "2");
}

TEST(Grant, HasAtLeastOneThread) {
    EXPECT_EQ(threads_of(0.1), 1);
    EXPECT_EQ(threads_of(1), 1);
    EXPECT_EQ(threads_of(7.6), 8);
}

TEST(Grant, GivesATaskItsThreadsAndItsGpu) {
    unsetenv("OMP_NUM_THREADS");
    setenv("CUDA_VISIBLE_DEVICES", "4,7", 1);
    set_environment({2, 1});
    EXPECT_STREQ(std::getenv("OMP_NUM_THREADS"), "2");
    EXPECT_STREQ(std::getenv("CUDA_VISIBLE_DEVICES"), "7");
    set_environment({8, std::nullopt});  // 2 is now what the owner has set
    EXPECT_STREQ(std::getenv("OMP_NUM_THREADS"), "2");
    EXPECT_STREQ(std::getenv("CUDA_VISIBLE_DEVICES"), "7");
}

TEST(Grant, IsToldAsTheEnvironmentThatTheRunHas) {
    setenv("OMP_NUM_THREADS", "3", 1);
    unsetenv("CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(environment_text(), "OMP_NUM_THREADS=3");
    set_environment({2, 5});
    EXPECT_EQ(environment_text(), "OMP_NUM_THREADS=3, CUDA_VISIBLE_DEVICES=5");
}

}  // namespace

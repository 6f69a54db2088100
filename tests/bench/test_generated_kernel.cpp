// The kernel of Stone et al. (2010) that bench_orbital generates for a molecule still compiles.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/orbital/generated_source.hpp"
#include "io/wavefunctions/wavefunction.hpp"
#ifdef TESSERA_TEST_NVRTC
#include "bench/orbital/runtime_compiler.hpp"
#endif

namespace {

using namespace tessera;

/// The HOMO of water, of s and p functions.
std::string source_of_water(int along_z) {
    const auto frames =
        io::read_wavefunctions(std::string(TESSERA_SOURCE_DIR) + "/examples/water.molden");
    const bench::PaperArrays arrays(frames.front(), 4);
    return bench::generated_source(arrays, along_z);
}

TEST(GeneratedKernel, HasTheBasisSetInItsCode) {
    const std::string source = source_of_water(4);
    EXPECT_NE(source.find("__global__ void paper_generated("), std::string::npos);
    EXPECT_NE(source.find("constexpr int points = 4;"), std::string::npos);
    std::size_t exponentials = 0;
    for (std::size_t at = source.find("exp2f("); at != std::string::npos;
         at = source.find("exp2f(", at + 1))
        ++exponentials;
    EXPECT_EQ(exponentials, 3u * 3 + 3) << "three shells of oxygen and one of hydrogen, in STO-3G";
}

#ifdef TESSERA_TEST_NVRTC

TEST(GeneratedKernel, CompilesWithNvrtc) {
    for (const int along_z : {1, 4}) {
        const auto code = bench::compile_for(source_of_water(along_z), "sm_90");
        ASSERT_GT(code.size(), 1000u);
        const std::string all(code.begin(), code.end());
        EXPECT_EQ(all.substr(1, 3), "ELF");
        EXPECT_NE(all.find("paper_generated"), std::string::npos);
    }
    EXPECT_THROW(bench::compile_for("this is no CUDA", "sm_90"), Error);
}

#else

TEST(GeneratedKernel, CompilesWithNvrtc) {
    GTEST_SKIP() << "NVRTC is missing: install a CUDA toolkit and configure again";
}

#endif

}  // namespace

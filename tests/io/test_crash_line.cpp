#include "io/hdf5/crash_line.hpp"

#include <gtest/gtest.h>
#include <signal.h>

namespace {

using tessera::io::h5::explain_crashes_in;

void crash_in(const char* path, int number) {
    explain_crashes_in(path);
    raise(number);
}

TEST(CrashLine, NamesTheFileAndEndsAsBadInput) {
    if (tessera::io::h5::crashes_are_reported())
        GTEST_SKIP() << "an address sanitizer reports crashes itself";
    for (const int number : {SIGSEGV, SIGBUS})
        EXPECT_EXIT(crash_in("run.h5", number), testing::ExitedWithCode(2),
                    "^tessera: cannot read 'run.h5' \\(.*damaged.*\\): .*\n$");
}

}  // namespace

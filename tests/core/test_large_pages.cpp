// Memory in large pages: Linux notes the request for the memory, and its bytes stay as they are.
#include "core/large_pages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace tessera {
namespace {

/// The flags that Linux has noted for the memory at `place`.
std::string flags_of(const void* place) {
    const auto wanted = reinterpret_cast<std::uintptr_t>(place);
    std::ifstream file("/proc/self/smaps");
    bool here = false;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::uintptr_t begin = 0, end = 0;
        char dash = 0;
        if (words >> std::hex >> begin >> dash >> end && dash == '-')
            here = begin <= wanted && wanted < end;
        if (here && line.starts_with("VmFlags:")) return line + " ";
    }
    return "";
}

TEST(LargePages, AreAskedForWhereMemoryIsLarge) {
    if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled"))
        GTEST_SKIP() << "this system has no large pages";
    constexpr std::size_t bytes = (std::size_t{48} << 20) + 123;
    const std::unique_ptr<char[]> memory(new char[bytes]);
    memory[7] = 'a';
    const char* const middle = memory.get() + bytes / 2;
    ASSERT_EQ(flags_of(middle).find(" hg "), std::string::npos);
    prefer_large_pages(memory.get() + 1, std::size_t{1} << 20);
    EXPECT_EQ(flags_of(middle).find(" hg "), std::string::npos) << "a small part";
    prefer_large_pages(memory.get() + 1, bytes - 1);
    EXPECT_NE(flags_of(middle).find(" hg "), std::string::npos) << flags_of(middle);
    EXPECT_EQ(memory[7], 'a');
}

}  // namespace
}  // namespace tessera

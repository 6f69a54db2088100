// From wavefunction files to what a run is compared by.
#include "orbitals/tiles/prepare.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/files/input_file.hpp"
#include "io/temporary_folder.hpp"
#include "support/counted_opens.hpp"

namespace tessera::orbitals {
namespace {

// What is hashed a moment later may be another file.
TEST(OrbitalPreparation, FilesAreReadOnceAndHashedAsTheyWereRead) {
    const test::TemporaryFolder folder;
    OrbitalInput input;
    for (const char* name : {"first", "second"}) {
        input.paths.push_back(folder / name);
        std::filesystem::copy(TESSERA_SOURCE_DIR "/examples/water.molden", input.paths.back());
    }
    input.frames = "2";  // the hash is of all files, also of those without a chosen frame
    input.spacing = {0.5, 0.5, 0.5};
    std::string hash;
    const auto opens = test::counted_opens(folder.path(), [&] {
        std::vector<std::string> messages;
        hash = prepare(input, read_frames(input, messages)).input_sha256;
    });
    EXPECT_EQ(opens, (std::map<std::string, int>{{"first", 1}, {"second", 1}}));
    EXPECT_EQ(hash, io::sha256_of(to_json(input) + io::sha256_of_file(input.paths[0]) +
                                  io::sha256_of_file(input.paths[1])));
}

}  // namespace
}  // namespace tessera::orbitals

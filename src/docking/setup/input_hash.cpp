#include "docking/setup/input_hash.hpp"

#include "io/files/input_file.hpp"
#include "io/files/sha256.hpp"

namespace tessera::docking {

/// The hashes of the files follow in the order of the options.
std::string input_hash(const DockInput& input, const FileHashes& files) {
    std::string text = to_json(input);
    for (const std::string& path : input_files(input)) text += files.at(path);
    return io::sha256_of(text);
}

std::string input_hash(const DockInput& input) {
    FileHashes files;
    for (const std::string& path : input_files(input)) files[path] = io::sha256_of_file(path);
    return input_hash(input, files);
}

std::map<std::string, io::FileStamp> stamps_of(const DockInput& input) {
    std::map<std::string, io::FileStamp> stamps;
    const std::int64_t now = io::nanoseconds_now();
    for (const std::string& path : input_files(input)) {
        if (path == input.rotation_file) continue;
        if (const auto file = io::file_status(path); file && file->stamp.is_settled(now))
            stamps.emplace(path, file->stamp);
    }
    return stamps;
}

}  // namespace tessera::docking

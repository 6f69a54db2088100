#include "io/hdf5/grid_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "io/journal/journal.hpp"

namespace tessera::io {

namespace {

/// An open file that closes itself.
class Descriptor {
  public:
    Descriptor(const std::string& path, int flags) : path_(path) {
        number_ = open(path.c_str(), flags | O_NOFOLLOW | O_CLOEXEC);
        if (number_ < 0) fail();
    }
    ~Descriptor() { close(number_); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return number_; }
    [[noreturn]] void fail() const {
        throw Error("cannot keep grids in '" + path_ + "'", std::strerror(errno),
                    "check the disk and start the same command again", ExitCode::resources);
    }

  private:
    std::string path_;
    int number_ = -1;
};

Error gone(const std::string& file) {
    return Error("the grids of the unfinished run are lost",
                 "'" + file + "' or its backup is missing or damaged", "start over with --force",
                 ExitCode::resources);
}

/// The gaps between the chunks: [begin, end) in ascending order, up to the end of the file.
std::vector<std::pair<std::uint64_t, std::uint64_t>>
gaps(const std::vector<GridSpec>& specs, const std::vector<std::vector<std::uint64_t>>& addresses,
     std::uint64_t size) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> chunks, between;
    for (std::size_t s = 0; s < specs.size(); ++s) {
        const std::size_t bytes = specs[s].chunk_bytes();
        for (const std::uint64_t at : addresses[s]) chunks.emplace_back(at, at + bytes);
    }
    std::ranges::sort(chunks);
    std::uint64_t end = 0;
    for (const auto& [begin, after] : chunks) {
        if (begin > end) between.emplace_back(end, begin);
        end = after;
    }
    if (size > end) between.emplace_back(end, size);
    return between;
}

/// The approximate size of HDF5's index of chunks. An index in one piece keeps the chunks
/// contiguous.
std::size_t bytes_of_index(const std::vector<GridSpec>& specs) {
    std::int64_t chunks = 0;
    for (const GridSpec& spec : specs) chunks += spec.grids() * spec.chunks_of_grid();
    return std::max<std::size_t>(2048, 128 * static_cast<std::size_t>(chunks));
}

/// The beginning of a record: the address of its bytes and the length of the file.
struct Place {
    std::uint64_t at = 0;
    std::uint64_t file_size = 0;
    std::uint64_t records = 0;  ///< number of records in the journal
};

}  // namespace

void begin_grid_store(const std::string& file, const std::string& between, JournalKey key,
                      const std::vector<GridSpec>& specs) {
    std::filesystem::remove(file);  // so that late writes of an ended run have no effect
    {
        h5::File made = h5::File::create(file, bytes_of_index(specs));
        for (const GridSpec& spec : specs) create_grid(made.root(), spec);
        made.close();
    }
    const Descriptor descriptor(file, O_RDONLY);
    struct stat status = {};
    if (fstat(descriptor.get(), &status) != 0 || fsync(descriptor.get()) != 0) descriptor.fail();
    const auto size = static_cast<std::uint64_t>(status.st_size);
    std::filesystem::remove(between);
    JournalWriter writer(between, key, JournalStart::anew);
    const auto all = gaps(specs, grid_store_addresses(file, specs), size);
    for (const auto& [begin, end] : all) {
        std::vector<std::byte> bytes(end - begin);
        if (pread(descriptor.get(), bytes.data(), bytes.size(), static_cast<off_t>(begin)) !=
            static_cast<ssize_t>(bytes.size()))
            descriptor.fail();
        const Place place{begin, size, all.size()};
        const std::array pieces{std::as_bytes(std::span(&place, 1)), Record(bytes)};
        writer.append(pieces);
    }
    writer.close(true);
}

void restore_grid_store(const std::string& file, const std::string& between, JournalKey key) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) throw gone(file);
    const Descriptor descriptor(file, O_RDWR);
    struct stat status = {};
    if (fstat(descriptor.get(), &status) != 0) descriptor.fail();
    const auto size = static_cast<std::uint64_t>(status.st_size);
    Place place;
    std::uint64_t records = 0;
    read_journal(between, key, [&](Record record, bool) {
        if (record.size() < sizeof(place)) throw gone(file);
        std::memcpy(&place, record.data(), sizeof(place));
        const Record bytes = record.subspan(sizeof(place));
        // A file that has become shorter has lost grids: there would be zeros in their place.
        if (size < place.file_size) throw gone(file);
        if (records == 0 && ftruncate(descriptor.get(), static_cast<off_t>(place.file_size)) != 0)
            descriptor.fail();
        if (pwrite(descriptor.get(), bytes.data(), bytes.size(), static_cast<off_t>(place.at)) !=
            static_cast<ssize_t>(bytes.size()))
            descriptor.fail();
        ++records;
    });
    if (records == 0 || records != place.records) throw gone(file);
}

std::vector<std::vector<std::uint64_t>> grid_store_addresses(const std::string& file,
                                                             const std::vector<GridSpec>& specs) {
    const h5::File opened = h5::File::open(file);
    std::vector<std::vector<std::uint64_t>> addresses;
    for (const GridSpec& spec : specs) addresses.push_back(chunk_addresses(opened.root(), spec));
    return addresses;
}

std::uint64_t bytes_on_disk(const std::string& file) {
    struct stat status = {};
    return stat(file.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) * 512
                                            : 0;
}

}  // namespace tessera::io

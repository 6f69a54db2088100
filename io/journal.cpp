#include "io/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "io/sha256.hpp"

namespace tessera::io {

namespace {

constexpr std::string_view magic = "tessera journal 1\n";
constexpr std::uint64_t longest_record = std::uint64_t{1} << 32;
constexpr double seconds_between_syncs = 1;

/// What stands before a record's bytes.
struct Frame {
    std::uint64_t length = 0;
    std::array<char, 16> checksum{};  ///< start of the SHA-256 of number, length and bytes
};

std::array<char, 16> checksum(std::uint64_t number, Record record) {
    const std::array<std::uint64_t, 2> place{number, record.size()};
    Sha256 hash;
    hash.add({reinterpret_cast<const char*>(place.data()), sizeof(place)});
    hash.add({reinterpret_cast<const char*>(record.data()), record.size()});
    std::array<char, 16> start;
    hash.hex().copy(start.data(), start.size());
    return start;
}

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

std::uint64_t read_journal(const std::string& path, const std::function<void(Record)>& receive) {
    std::ifstream file(path, std::ios::binary);
    std::string begin(magic.size(), '\0');
    if (!file.read(begin.data(), static_cast<std::streamsize>(begin.size())) || begin != magic)
        return 0;
    file.seekg(0, std::ios::end);
    const auto size = static_cast<std::uint64_t>(file.tellg());
    std::uint64_t good = magic.size();
    std::vector<std::byte> bytes;
    for (std::uint64_t number = 0;; ++number) {
        Frame frame;
        file.seekg(static_cast<std::streamoff>(good));
        if (!file.read(reinterpret_cast<char*>(&frame), sizeof(frame))) break;
        const std::uint64_t rest = size - good - sizeof(frame);
        if (frame.length > rest || frame.length > longest_record) break;
        bytes.resize(frame.length);
        if (!file.read(reinterpret_cast<char*>(bytes.data()),
                       static_cast<std::streamsize>(frame.length)) ||
            checksum(number, bytes) != frame.checksum)
            break;
        receive(bytes);
        good += sizeof(frame) + frame.length;
    }
    return good;
}

JournalWriter::JournalWriter(std::string path) : path_(std::move(path)) {
    length_ = read_journal(path_, [&](Record) { ++records_; });
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0) fail("open");
    if (::ftruncate(file_, static_cast<off_t>(length_)) != 0) fail("cut");
    if (length_ > 0) return;
    if (::pwrite(file_, magic.data(), magic.size(), 0) != static_cast<ssize_t>(magic.size()))
        fail("write");
    length_ = magic.size();
}

JournalWriter::~JournalWriter() {
    if (file_ < 0) return;
    ::fsync(file_);
    ::close(file_);
}

void JournalWriter::append(Record record) {
    const Frame frame{record.size(), checksum(records_, record)};
    const auto head = std::as_bytes(std::span(&frame, 1));
    std::vector<std::byte> bytes(head.begin(), head.end());
    bytes.insert(bytes.end(), record.begin(), record.end());
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count = ::pwrite(file_, bytes.data() + done, bytes.size() - done,
                                       static_cast<off_t>(length_ + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) fail("write");
        done += static_cast<std::size_t>(count);
    }
    length_ += bytes.size();
    ++records_;
    if (const double now = seconds_now(); now - last_sync_ > seconds_between_syncs) {
        if (::fdatasync(file_) != 0 && errno != EINVAL) fail("sync");
        last_sync_ = now;
    }
}

void JournalWriter::fail(const char* what) const {
    throw Error(std::string("cannot ") + what + " the journal '" + path_ + "'",
                std::strerror(errno), "check the disk and start the same command again",
                ExitCode::resources);
}

}  // namespace tessera::io

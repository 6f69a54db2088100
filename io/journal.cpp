#include "io/journal.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/checksum.hpp"

namespace tessera::io {

namespace {

constexpr std::string_view magic = "tessera journal 2\n";
constexpr std::uint64_t longest_record = std::uint64_t{1} << 40;
constexpr auto between_syncs = std::chrono::seconds(10);

/// The file's beginning. `synced` is renewed in place: so many bytes were on the disk by then.
struct Head {
    std::array<char, 24> name{};
    std::uint64_t synced = 0;
    std::uint64_t checksum = 0;

    explicit Head(std::uint64_t length = 0) : synced(length), checksum(sum()) {
        std::ranges::copy(magic, name.begin());
    }
    std::uint64_t sum() const {
        Checksum sum;
        sum.add(std::as_bytes(std::span(&synced, 1)));
        return sum.value();
    }
};

/// What stands before a record's bytes.
struct Frame {
    std::uint64_t length = 0;
    std::uint64_t checksum = 0;  ///< of number, length and bytes
};

Frame frame_of(std::uint64_t number, std::span<const Record> pieces) {
    Frame frame;
    for (const Record piece : pieces) frame.length += piece.size();
    Checksum sum(number);
    sum.add(std::as_bytes(std::span(&frame.length, 1)));
    for (const Record piece : pieces) sum.add(piece);
    frame.checksum = sum.value();
    return frame;
}

template <class T>
bool read_value(std::ifstream& file, T& value) {
    return static_cast<bool>(file.read(reinterpret_cast<char*>(&value), sizeof(value)));
}

/// Bytes said to be on the disk; nothing where the file is not a journal.
std::optional<std::uint64_t> read_head(std::ifstream& file) {
    Head head;
    if (!read_value(file, head) || !std::ranges::equal(head.name, Head().name)) return {};
    return head.checksum == head.sum() ? head.synced : 0;
}

}  // namespace

std::uint64_t read_journal_synced(const std::string& path,
                                  const std::function<void(Record, bool synced)>& receive) {
    std::ifstream file(path, std::ios::binary);
    const auto synced = read_head(file);
    if (!synced) return 0;
    file.seekg(0, std::ios::end);
    const auto size = static_cast<std::uint64_t>(file.tellg());
    std::uint64_t good = sizeof(Head);
    std::vector<std::byte> bytes;
    for (std::uint64_t number = 0;; ++number) {
        Frame frame;
        file.seekg(static_cast<std::streamoff>(good));
        if (!read_value(file, frame)) break;
        if (frame.length > longest_record || good + sizeof(frame) + frame.length > size) break;
        bytes.resize(frame.length);
        const Record record(bytes);
        if (!file.read(reinterpret_cast<char*>(bytes.data()),
                       static_cast<std::streamsize>(frame.length)) ||
            frame_of(number, {&record, 1}).checksum != frame.checksum)
            break;
        good += sizeof(frame) + frame.length;
        receive(bytes, good <= *synced);
    }
    return good;
}

std::uint64_t read_journal(const std::string& path, const std::function<void(Record)>& receive) {
    return read_journal_synced(path, [&](Record record, bool) { receive(record); });
}

JournalWriter::JournalWriter(std::string path, std::function<void()> before_sync)
    : path_(std::move(path)), before_sync_(std::move(before_sync)) {
    length_ = read_journal_synced(path_, [&](Record record, bool synced) {
        ++records_;
        if (synced) synced_ += sizeof(Frame) + record.size();
    });
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0) fail("open");
    if (::ftruncate(file_, static_cast<off_t>(length_)) != 0) fail("cut");
    length_ = std::max<std::uint64_t>(length_, sizeof(Head));
    synced_ += sizeof(Head);
    write_head(synced_);
    thread_ = std::jthread([this](const std::stop_token& stop) { sync_now_and_then(stop); });
}

JournalWriter::~JournalWriter() {
    try {
        close(true);
    } catch (const Error&) {
        // Whoever needs to know has called sync(); the records are with the system all the same.
        ::close(file_);
    }
}

void JournalWriter::close(bool to_disk) {
    if (thread_.joinable()) {
        thread_.request_stop();
        thread_.join();
    }
    if (file_ < 0) return;
    if (to_disk) sync();
    ::close(std::exchange(file_, -1));
}

void JournalWriter::append(std::span<const Record> pieces) {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    const Frame frame = frame_of(records_, pieces);
    std::vector<Record> all{std::as_bytes(std::span(&frame, 1))};
    all.insert(all.end(), pieces.begin(), pieces.end());
    write_at(all, length_);
    length_ += sizeof(frame) + frame.length;
    ++records_;
}

void JournalWriter::write_at(std::span<const Record> pieces, std::uint64_t at) const {
    std::vector<iovec> rest;
    for (const Record piece : pieces)
        if (!piece.empty()) rest.push_back({const_cast<std::byte*>(piece.data()), piece.size()});
    for (std::size_t first = 0; first < rest.size();) {
        const ssize_t count =
            ::pwritev(file_, rest.data() + first, static_cast<int>(rest.size() - first),
                      static_cast<off_t>(at));
        if (count < 0 && errno == EINTR) continue;
        if (count == 0) errno = ENOSPC;
        if (count <= 0) fail("write");
        at += static_cast<std::uint64_t>(count);
        for (auto left = static_cast<std::size_t>(count); left > 0;) {
            const std::size_t taken = std::min(left, rest[first].iov_len);
            rest[first].iov_base = static_cast<std::byte*>(rest[first].iov_base) + taken;
            rest[first].iov_len -= taken;
            left -= taken;
            if (rest[first].iov_len == 0) ++first;
        }
    }
}

void JournalWriter::write_head(std::uint64_t synced) const {
    const Head head(synced);
    const Record bytes = std::as_bytes(std::span(&head, 1));
    write_at({&bytes, 1}, 0);
}

void JournalWriter::sync() {
    std::uint64_t length = 0;
    {
        const std::lock_guard lock(mutex_);
        if (failure_) std::rethrow_exception(failure_);
        if (length_ == synced_) return;
        length = length_;
    }
    if (before_sync_) before_sync_();
    if (::fdatasync(file_) != 0 && errno != EINVAL) fail("sync");
    const std::lock_guard lock(mutex_);
    synced_ = std::max(synced_, length);
    write_head(synced_);
}

void JournalWriter::sync_now_and_then(const std::stop_token& stop) {
    while (true) {
        try {
            {
                std::unique_lock lock(mutex_);
                wake_.wait_for(lock, stop, between_syncs, [] { return false; });
            }
            if (stop.stop_requested()) return;
            sync();
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            return;
        }
    }
}

void JournalWriter::fail(const char* what) const {
    throw JournalError(std::string("cannot ") + what + " the journal '" + path_ + "'",
                       std::strerror(errno), "check the disk and start the same command again",
                       ExitCode::resources);
}

}  // namespace tessera::io

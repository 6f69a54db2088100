#include "io/journal/journal.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "io/journal/journal_format.hpp"

namespace tessera::io {

namespace {

constexpr auto between_syncs = std::chrono::seconds(10);

}  // namespace

JournalWriter::JournalWriter(std::string path, JournalKey key, JournalStart start,
                             std::function<void()> before_sync)
    : path_(std::move(path)),
      key_(key),
      before_sync_(std::move(before_sync)),
      length_(sizeof(JournalHead)),
      synced_(sizeof(JournalHead)) {
    if (start == JournalStart::go_on) go_on();
    const int flags = start == JournalStart::anew ? O_CREAT | O_EXCL : O_CREAT;
    file_ = ::open(path_.c_str(), flags | O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
    if (file_ < 0) fail("open");
    try {
        if (::ftruncate(file_, static_cast<off_t>(length_)) != 0) fail("cut");
        write_head(synced_);
    } catch (const JournalError&) {
        ::close(file_);
        throw;
    }
    syncing_.emplace(between_syncs, [this] { sync_new_records(); });
}

void JournalWriter::go_on() {
    const JournalReading former = read_journal(path_, key_, [&](Record record, bool synced) {
        ++records_;
        if (synced) synced_ += sizeof(RecordFrame) + record.size();
    });
    length_ = std::max<std::uint64_t>(length_, former.bytes);
}

JournalWriter::~JournalWriter() {
    try {
        close(true);
    } catch (const Error&) {
        // Callers that need to know have called sync(). The system has the records in any case.
        ::close(file_);
    }
}

void JournalWriter::close(bool to_disk) {
    if (syncing_) syncing_->stop();
    if (file_ < 0) return;
    if (to_disk) sync();
    ::close(std::exchange(file_, -1));
}

void JournalWriter::append(std::span<const Record> pieces) {
    syncing_->rethrow_failure();
    const std::lock_guard lock(mutex_);
    const RecordFrame frame(key_, records_, pieces);
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
    const JournalHead head(key_, synced);
    const Record bytes = std::as_bytes(std::span(&head, 1));
    write_at({&bytes, 1}, 0);
}

void JournalWriter::sync() {
    syncing_->rethrow_failure();
    sync_new_records();
}

void JournalWriter::sync_new_records() {
    std::uint64_t length = 0;
    {
        const std::lock_guard lock(mutex_);
        if (length_ == synced_) return;
        length = length_;
    }
    if (before_sync_) before_sync_();
    if (::fdatasync(file_) != 0 && errno != EINVAL) fail("sync");
    const std::lock_guard lock(mutex_);
    synced_ = std::max(synced_, length);
    write_head(synced_);
}

void JournalWriter::fail(const char* what) const {
    throw JournalError(std::string("cannot ") + what + " the journal '" + path_ + "'",
                       std::strerror(errno), "check the disk and start the same command again",
                       ExitCode::resources);
}

}  // namespace tessera::io

// The writing half of io/hdf5/grid_file.hpp: buffers and the thread that writes them.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "core/error.hpp"
#include "io/hdf5/grid_file.hpp"
#include "io/hdf5/grid_pack.hpp"

namespace tessera::io {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

Error cannot_write(const std::string& path, const std::string& why) {
    return Error("cannot write grids into '" + path + "'", why,
                 "check that all nodes see the folder and that the disk has space",
                 ExitCode::resources);
}

}  // namespace

GridBuffer::GridBuffer(GridBuffer&& other) noexcept
    : writer_(std::exchange(other.writer_, nullptr)), data_(std::exchange(other.data_, nullptr)) {}

GridBuffer& GridBuffer::operator=(GridBuffer&& other) noexcept {
    std::swap(writer_, other.writer_);
    std::swap(data_, other.data_);
    return *this;
}

GridBuffer::~GridBuffer() {
    if (writer_) writer_->release(data_);
}

GridWriter::GridWriter(std::vector<GridSpec> specs,
                       std::vector<std::vector<std::uint64_t>> addresses, const std::string& file,
                       std::size_t buffer_bytes, const HostAllocator& allocate)
    : specs_(std::move(specs)),
      addresses_(std::move(addresses)),
      file_(file),
      threads_(pack_threads()) {
    for (int i = 0; i < 2 && !specs_.empty(); ++i) {
        // The memory is not cleared, because all of it is overwritten.
        memory_.push_back(allocate ? allocate(buffer_bytes)
                                   : HostMemory(new std::byte[buffer_bytes]));
        free_.push_back(memory_.back().get());
    }
    if (std::ranges::any_of(specs_, [](const GridSpec& spec) { return spec.deflate == 0; })) {
        descriptor_ = open(file_.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0) throw cannot_write(file_, std::strerror(errno));
    }
    thread_ = std::thread([this] { work(); });
}

GridWriter::~GridWriter() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        failure_ = std::make_exception_ptr(0);  // pending blocks are not written
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    jobs_.clear();
    if (descriptor_ >= 0) close(descriptor_);
}

void GridWriter::release(std::byte* data) {
    {
        const std::lock_guard lock(mutex_);
        free_.push_back(data);
    }
    changed_.notify_all();
}

GridBuffer GridWriter::acquire() {
    const auto start = Clock::now();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || !free_.empty(); });
    wait_seconds_ += seconds_since(start);
    if (failure_) std::rethrow_exception(failure_);
    std::byte* data = free_.back();
    free_.pop_back();
    return GridBuffer(this, data);
}

void GridWriter::submit(std::vector<GridBlock> blocks, GridBuffer buffer) {
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back({std::move(blocks), std::move(buffer), {}});
    }
    changed_.notify_all();
}

void GridWriter::then(std::function<void(const std::vector<std::byte>&)> note) {
    constexpr std::size_t most_waiting = 4;
    const auto start = Clock::now();
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return failure_ || jobs_.size() < most_waiting; });
        wait_seconds_ += seconds_since(start);
        if (failure_) std::rethrow_exception(failure_);
        jobs_.push_back({{}, {}, std::move(note)});
    }
    changed_.notify_all();
}

void GridWriter::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return closing_ || !jobs_.empty(); });
        if (jobs_.empty() || (closing_ && failure_)) return;
        Job job = std::move(jobs_.front());
        jobs_.pop_front();
        const bool skip = failure_ != nullptr;
        lock.unlock();
        std::exception_ptr failure;
        const auto start = Clock::now();
        try {
            if (!skip) carry_out(job);
        } catch (...) {
            failure = std::current_exception();
        }
        const double seconds = seconds_since(start);
        job = Job();
        lock.lock();
        write_seconds_ += seconds;
        if (failure && !failure_) failure_ = failure;
        changed_.notify_all();
    }
}

void GridWriter::carry_out(const Job& job) {
    if (job.note) return job.note(std::exchange(packed_, {}));
    const std::byte* data = job.buffer.data();
    const auto is_packed = [this](const GridBlock& block) {
        return specs_[static_cast<std::size_t>(block.dataset)].deflate > 0;
    };
    if (std::ranges::all_of(job.blocks, is_packed))
        return pack_blocks(specs_, job.blocks, data, threads_, packed_);
    for (const GridBlock& block : job.blocks) {
        if (is_packed(block))
            pack_blocks(specs_, {block}, data, threads_, packed_);
        else
            write_bytes(block, data);
        data += static_cast<std::size_t>(block.grids * block.planes) *
                specs_[static_cast<std::size_t>(block.dataset)].plane_bytes();
    }
}

void GridWriter::write_bytes(const GridBlock& block, const std::byte* data) const {
    const GridSpec& spec = specs_[static_cast<std::size_t>(block.dataset)];
    const auto& addresses = addresses_[static_cast<std::size_t>(block.dataset)];
    for (std::int64_t g = 0; g < block.grids; ++g)
        for (std::int64_t done = 0; done < block.planes; done += spec.chunk_planes) {
            const std::int64_t planes = std::min(spec.chunk_planes, block.planes - done);
            const std::int64_t chunk = (block.first_grid + g) * spec.chunks_of_grid() +
                                       (block.first_plane + done) / spec.chunk_planes;
            // In the file the last chunk of a grid is as long as the others; its end stays unused.
            const std::size_t bytes = static_cast<std::size_t>(planes) * spec.plane_bytes();
            write_at(data, bytes, addresses[static_cast<std::size_t>(chunk)]);
            data += bytes;
        }
}

void GridWriter::write_at(const std::byte* data, std::size_t bytes, std::uint64_t at) const {
    while (bytes > 0) {
        const ssize_t written = pwrite(descriptor_, data, bytes, static_cast<off_t>(at));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0)
            throw cannot_write(file_, written < 0 ? std::strerror(errno) : "no bytes were written");
        data += written;
        at += static_cast<std::uint64_t>(written);
        bytes -= static_cast<std::size_t>(written);
    }
}

void GridWriter::finish() {
    const auto start = Clock::now();
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    if (failure_) std::rethrow_exception(failure_);
    wait_seconds_ += seconds_since(start);
}

void sync_file(const std::string& path) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && (fdatasync(descriptor) == 0 || errno == EINVAL);
    const int reason = errno;
    if (descriptor >= 0) close(descriptor);
    if (!synced) throw cannot_write(path, std::strerror(reason));
}

}  // namespace tessera::io

// The writing thread of grid_file.hpp.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "io/grid_file.hpp"
#include "io/h5_types.hpp"

namespace tessera::io {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

Error cannot_write(const std::string& path, const std::string& why) {
    return Error("cannot write grids into '" + path + "'", why,
                 "check that all nodes see the folder and that the disk has room",
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

/// This rank's file of compressed grids.
struct GridWriter::PartFile {
    h5::File file;
    std::vector<h5::Dataset> datasets;

    PartFile(const std::string& path, const std::vector<GridSpec>& specs)
        : file(h5::File::create(path)) {
        for (const GridSpec& spec : specs) {
            create_grid(file.root(), spec);
            datasets.push_back(file.root().open_dataset(spec.name));
        }
    }

    void write(const GridSpec& spec, const GridBlock& block, const std::byte* data) {
        const std::size_t leading = spec.leading.size();
        const auto to_size = [](std::int64_t value) { return static_cast<hsize_t>(value); };
        const h5::Dataset& dataset = datasets[static_cast<std::size_t>(block.dataset)];
        const h5::SpaceHandle space(H5Dget_space(dataset.id()));
        for (std::int64_t g = 0; g < block.grids; ++g) {
            std::vector<hsize_t> start(leading + 3, 0), count(leading + 3, 1);
            std::int64_t rest = block.first_grid + g;
            for (std::size_t axis = leading; axis-- > 0; rest /= spec.leading[axis])
                start[axis] = to_size(rest % spec.leading[axis]);
            start[leading] = to_size(block.first_plane);
            count[leading] = to_size(block.planes);
            count[leading + 1] = to_size(spec.shape[1]);
            count[leading + 2] = to_size(spec.shape[0]);
            H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                nullptr);
            const hsize_t size = count[leading] * count[leading + 1] * count[leading + 2];
            const h5::SpaceHandle memory(H5Screate_simple(1, &size, nullptr));
            const std::byte* values =
                data + static_cast<std::size_t>(g * block.planes) * spec.plane_bytes();
            if (H5Dwrite(dataset.id(), spec.double_precision ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT,
                         memory.get(), space.get(), H5P_DEFAULT, values) < 0)
                throw cannot_write(file.path(), h5::last_message());
        }
    }

    void close() {
        datasets.clear();
        file.close();
    }
};

GridWriter::GridWriter(std::vector<GridSpec> specs,
                       std::vector<std::vector<std::uint64_t>> addresses, const std::string& file,
                       std::string part, std::size_t buffer_bytes, const HostAllocator& allocate)
    : specs_(std::move(specs)),
      addresses_(std::move(addresses)),
      file_(file),
      part_(std::move(part)) {
    const bool compressed = std::any_of(specs_.begin(), specs_.end(),
                                        [](const auto& spec) { return spec.deflate > 0; });
    for (int i = 0; i < 2; ++i) {
        // Not cleared: it is all overwritten.
        memory_.push_back(allocate ? allocate(buffer_bytes)
                                   : HostMemory(new std::byte[buffer_bytes]));
        free_.push_back(memory_.back().get());
    }
    if (compressed) {
        part_file_ = std::make_unique<PartFile>(part_, specs_);
    } else {
        descriptor_ = open(file_.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0) throw cannot_write(file_, std::strerror(errno));
    }
    thread_ = std::thread([this] { work(); });
}

GridWriter::~GridWriter() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        failure_ = std::make_exception_ptr(0);  // what still waits is not worth writing
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    jobs_.clear();
    if (descriptor_ >= 0) close(descriptor_);
    if (part_file_) {
        part_file_.reset();
        std::error_code ignored;
        std::filesystem::remove(part_, ignored);
    }
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

void GridWriter::submit(const GridBlock& block, GridBuffer buffer) {
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back({block, std::move(buffer)});
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
            if (!skip) write(job);
        } catch (...) {
            failure = std::current_exception();
        }
        const double seconds = seconds_since(start);
        job.buffer = GridBuffer();
        lock.lock();
        write_seconds_ += seconds;
        if (failure && !failure_) failure_ = failure;
        changed_.notify_all();
    }
}

void GridWriter::write(const Job& job) {
    if (part_file_)
        part_file_->write(specs_[static_cast<std::size_t>(job.block.dataset)], job.block,
                          job.buffer.data());
    else
        write_bytes(job.block, job.buffer.data());
}

void GridWriter::write_bytes(const GridBlock& block, const std::byte* data) const {
    const GridSpec& spec = specs_[static_cast<std::size_t>(block.dataset)];
    const auto& addresses = addresses_[static_cast<std::size_t>(block.dataset)];
    for (std::int64_t g = 0; g < block.grids; ++g)
        for (std::int64_t done = 0; done < block.planes; done += spec.chunk_planes) {
            const std::int64_t planes = std::min(spec.chunk_planes, block.planes - done);
            const std::int64_t chunk = (block.first_grid + g) * spec.chunks_of_grid() +
                                       (block.first_plane + done) / spec.chunk_planes;
            // The last chunk of a grid is as long as the others in the file; its end stays unused.
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
            throw cannot_write(file_, written < 0 ? std::strerror(errno) : "nothing was taken");
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
    if (part_file_) part_file_->close();
    // Other ranks' bytes must be there before rank 0 gives the file its name.
    if (descriptor_ >= 0 && fsync(descriptor_) != 0 && errno != EINVAL)
        throw cannot_write(file_, std::strerror(errno));
    wait_seconds_ += seconds_since(start);
}

}  // namespace tessera::io

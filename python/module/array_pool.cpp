#include "array_pool.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "kokkos_kernels/device/device_operations.hpp"
#include "process_device.hpp"

namespace tessera::python {

namespace {

struct Block {
    void* data = nullptr;
    std::size_t bytes = 0;
    Place place = Place::host;
};

constexpr std::size_t most_kept = std::size_t{1} << 30;  ///< bytes for each place

class Pool {
  public:
    /// Null after end().
    DeviceOperations* operations() {
        const std::lock_guard lock(mutex_);
        if (!ended_ && !operations_)
            operations_ = kernels::make_device_operations(running_device().backend);
        return operations_.get();
    }

    /// The smallest kept block that fits, unless most of it would be unused, or a new one.
    Block take(Place place, std::size_t bytes) {
        DeviceOperations* const device = operations();
        const std::lock_guard lock(mutex_);
        auto best = kept_.end();
        for (auto one = kept_.begin(); one != kept_.end(); ++one)
            if (one->place == place && one->bytes >= bytes && one->bytes / 2 <= bytes &&
                (best == kept_.end() || one->bytes < best->bytes))
                best = one;
        if (best != kept_.end()) {
            const Block found = *best;
            kept_.erase(best);
            return found;
        }
        if (!device) throw std::bad_alloc();
        return {place == Place::device ? device->allocate(bytes) : device->allocate_host(bytes),
                bytes, place};
    }

    /// Keeps the block, and frees the oldest ones of its place that are too many.
    void give_back(const Block& block) {
        const std::lock_guard lock(mutex_);
        if (ended_ || kernels::device_is_lost()) return;
        kept_.push_back(block);
        std::size_t bytes = 0;
        for (const Block& one : kept_) bytes += one.place == block.place ? one.bytes : 0;
        for (auto one = kept_.begin(); one != kept_.end() && bytes > most_kept;) {
            if (one->place != block.place) {
                ++one;
                continue;
            }
            bytes -= one->bytes;
            release(*one);
            one = kept_.erase(one);
        }
    }

    void end() {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        if (kernels::device_is_lost()) return;
        for (const Block& block : kept_) release(block);
        kept_.clear();
        operations_.reset();
    }

  private:
    void release(const Block& block) noexcept {
        if (block.place == Place::device)
            operations_->release(block.data);
        else
            operations_->release_host(block.data);
    }

    std::mutex mutex_;
    bool ended_ = false;
    std::unique_ptr<DeviceOperations> operations_;
    std::vector<Block> kept_;  ///< oldest first
};

/// It lives as long as the process, because arrays may.
Pool& pool() {
    static auto* const one = new Pool;
    return *one;
}

}  // namespace

LentMemory lend_memory(Place place, std::size_t bytes) {
    try {
        auto* const block = new Block(pool().take(place, std::max<std::size_t>(bytes, 1)));
        return {static_cast<std::byte*>(block->data),
                nanobind::capsule(block, [](void* lent) noexcept {
                    const std::unique_ptr<Block> given(static_cast<Block*>(lent));
                    pool().give_back(*given);
                })};
    } catch (const std::bad_alloc&) {
        throw Error("there is no memory for the values",
                    std::to_string(bytes >> 20) + " MiB are needed on the " +
                        (place == Place::device ? "device" : "host"),
                    "ask for less at once", ExitCode::resources);
    }
}

void copy_memory(void* to, const void* from, std::size_t bytes) {
    DeviceOperations* const device = pool().operations();
    device->copy(to, from, bytes);
    device->synchronize();
}

void end_array_pool() noexcept { pool().end(); }

}  // namespace tessera::python

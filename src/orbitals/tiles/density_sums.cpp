#include "orbitals/tiles/density_sums.hpp"

#include <utility>

#include "core/error.hpp"

namespace tessera::orbitals {

namespace {

/// Runs `work`, whose errors are those of the device.
template <class Work>
void on_device(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        throw TileFailure(TileFailure::Reason::device_error, error.what());
    }
}

}  // namespace

DensitySums::~DensitySums() { release(); }

void DensitySums::release() noexcept {
    device_->release(std::exchange(density_, nullptr));
    device_->release(std::exchange(sums_, nullptr));
    room_ = 0;
}

void DensitySums::begin(std::int64_t points, bool single) {
    points_ = static_cast<std::size_t>(points);
    single_ = single;
    on_device([&] {
        if (points_ > room_) {
            release();
            density_ = device_->allocate(points_ * sizeof(double));
            sums_ = static_cast<SumPair*>(device_->allocate(points_ * sizeof(SumPair)));
            room_ = points_;
        }
        device_->clear(sums_, points_);
        device_->synchronize();
    });
}

void DensitySums::add() {
    on_device([&] {
        device_->add_values(sums_, density_, single_, points_);
        device_->synchronize();  // the next density is written by another stream
    });
}

PointSums DensitySums::finish() {
    PointSums sums(points_);
    on_device([&] {
        device_->copy(sums.bytes().data(), sums_, sums.bytes().size());
        device_->synchronize();
    });
    return sums;
}

}  // namespace tessera::orbitals

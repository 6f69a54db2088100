// The reason why a tile failed on a rank, in a form that other ranks understand.
#pragma once

#include <cstdint>
#include <string>

#include "core/error.hpp"

namespace tessera {

/// Thrown instead of a TileFailure if this process can no longer use its device (permanent CUDA
/// errors). The rank may finish its work on the host.
class DeviceLost : public TileFailure {
  public:
    explicit DeviceLost(const std::string& detail) : TileFailure(Reason::device_error, detail) {}
};

enum class TileFault : std::uint8_t { not_finite, out_of_memory, device_error, device_lost };

inline TileFault fault_of(const TileFailure& failure) {
    if (dynamic_cast<const DeviceLost*>(&failure)) return TileFault::device_lost;
    switch (failure.reason()) {
        case TileFailure::Reason::not_finite: return TileFault::not_finite;
        case TileFailure::Reason::out_of_memory: return TileFault::out_of_memory;
        default: return TileFault::device_error;
    }
}

/// "not finite", "out of memory", "device error", "device lost".
inline std::string name_of(TileFault fault) {
    switch (fault) {
        case TileFault::not_finite: return "not finite";
        case TileFault::out_of_memory: return "out of memory";
        case TileFault::device_lost: return "device lost";
        default: return "device error";
    }
}

}  // namespace tessera

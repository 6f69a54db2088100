// What a result says about parameters that streams of several wedges share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "likelihood/fit/stream_space.hpp"

namespace tessera::likelihood {

/// Adds the group /fit/shared (docs/reference/hdf5.md) if parameters are shared.
void write_shared(io::h5::Group& fit, const std::vector<FreeParameter>& free);
/// Gives the free parameters of a file their places.
void read_shared(const io::h5::Group& fit, std::int64_t wedges, std::vector<FreeParameter>& free);

/// "wedge1.stream1.sigma", "wedge2.stream1.sigma"; none if it is not shared.
std::vector<std::string> shared_by(const FreeParameter& free);

/// ", of wedges 1 and 2", or an empty text.
std::string wedges_text(const FreeParameter& free);

}  // namespace tessera::likelihood

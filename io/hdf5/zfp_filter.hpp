// zfp as filter 32013 of HDF5. Other programs have it as the plugin H5Z-ZFP.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tessera::io {

inline constexpr int zfp_filter = 32013;

/// Whether this build has zfp.
bool has_zfp();

/// Lets HDF5 read chunks of this filter, if this build has zfp. More calls change nothing.
void register_zfp();

/// A chunk of a dataset.
struct ZfpChunk {
    std::array<std::int64_t, 3> shape{0, 0, 0};  ///< values along x, y, z; x is fastest
    bool double_precision = false;
    double largest_error = 0;
};

/// The parameters of the filter for such chunks. They are empty if zfp cannot describe them.
std::vector<unsigned> zfp_parameters(const ZfpChunk& chunk);

/// How many bytes each chunk unpacks to, or nothing if the parameters are not those of chunks with
/// a bounded error.
std::optional<std::uint64_t> zfp_unpacked_bytes(std::span<const unsigned> parameters);

/// The packed values, which must be finite. Nothing if a value would change by more than the
/// largest error. zfp does not promise that: values of a block share one exponent.
std::optional<std::vector<std::byte>> zfp_pack(const ZfpChunk& chunk,
                                               std::span<const std::byte> values);

/// Unpacks a chunk, which may be damaged. Nothing if that fails.
std::optional<std::vector<std::byte>> zfp_unpack(std::span<const unsigned> parameters,
                                                 std::span<const std::byte> packed);

}  // namespace tessera::io

#include "io/hdf5/grid_pack.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.hpp"
#include "io/hdf5/grid_rounding.hpp"
#include "io/hdf5/h5_types.hpp"

namespace tessera::io {

namespace {

/// The header that precedes a chunk's bytes.
struct ChunkHeader {
    std::int64_t dataset = 0;
    std::int64_t grid = 0;
    std::int64_t first_plane = 0;
    std::uint64_t bytes = 0;
    std::uint32_t filters_left_out = 0;  ///< of HDF5: one bit for each
    std::uint32_t unused = 0;
};

/// HDF5's shuffle: the first bytes of all values, then the second bytes, and so on.
void shuffle(std::span<const std::byte> values, std::size_t size, std::vector<std::byte>& out) {
    const std::size_t count = values.size() / size;
    out.resize(values.size());
    for (std::size_t byte = 0; byte < size; ++byte)
        for (std::size_t i = 0; i < count; ++i) out[byte * count + i] = values[i * size + byte];
}

template <class Real>
void require_finite(std::span<const std::byte> chunk, const std::string& name) {
    for (std::size_t at = 0; at < chunk.size(); at += sizeof(Real)) {
        Real value;
        std::memcpy(&value, chunk.data() + at, sizeof(Real));
        if (!std::isfinite(value)) throw not_finite(name);
    }
}

/// Rounds the values of a chunk.
template <class Real>
void round_chunk(std::vector<std::byte>& chunk, const GridSpec& spec) {
    std::vector<Real> values(chunk.size() / sizeof(Real));
    std::memcpy(values.data(), chunk.data(), chunk.size());
    round_within(std::span(values), spec.largest_error, spec.name);
    std::memcpy(chunk.data(), values.data(), chunk.size());
}

/// Appends the bytes of a chunk that HDF5 stores.
void deflate_chunk(std::vector<std::byte>& chunk, const GridSpec& spec,
                   std::vector<std::byte>& packed) {
    if (spec.largest_error > 0)
        spec.double_precision ? round_chunk<double>(chunk, spec) : round_chunk<float>(chunk, spec);
    std::vector<std::byte> shuffled;
    shuffle(chunk, spec.double_precision ? 8 : 4, shuffled);
    const std::size_t start = packed.size();
    uLongf length = compressBound(shuffled.size());
    packed.resize(start + length);
    if (compress2(reinterpret_cast<Bytef*>(packed.data() + start), &length,
                  reinterpret_cast<const Bytef*>(shuffled.data()), shuffled.size(),
                  spec.deflate) != Z_OK)
        throw Error("cannot compress a grid", "zlib is out of memory",
                    "use a device with more host memory, or no --compress", ExitCode::resources);
    packed.resize(start + length);
}

/// The same with zfp. Returns false for a chunk that stays plain, because zfp would change a value
/// too much.
bool zfp_chunk(const std::vector<std::byte>& chunk, const GridSpec& spec,
               std::vector<std::byte>& packed) {
    spec.double_precision ? require_finite<double>(chunk, spec.name)
                          : require_finite<float>(chunk, spec.name);
    const auto made = zfp_pack(spec.zfp_chunk(), chunk);
    const std::vector<std::byte>& stored = made ? *made : chunk;
    packed.insert(packed.end(), stored.begin(), stored.end());
    return made.has_value();
}

Error damaged(const std::string& file) {
    return Error("compressed chunks for '" + file + "' are damaged",
                 "another build wrote the journal, or this is a bug", "start over with --force",
                 ExitCode::internal);
}

}  // namespace

void pack_block(const GridSpec& spec, const GridBlock& block, const std::byte* values,
                std::vector<std::byte>& packed) {
    const std::int64_t chunk_planes = std::min(spec.chunk_planes, spec.shape[2]);
    std::vector<std::byte> chunk;
    for (std::int64_t g = 0; g < block.grids; ++g)
        for (std::int64_t done = 0; done < block.planes; done += chunk_planes) {
            const std::int64_t planes = std::min(chunk_planes, block.planes - done);
            const std::size_t bytes = static_cast<std::size_t>(planes) * spec.plane_bytes();
            // All chunks of a dataset have the same size, so the last chunk of a grid is padded
            // with zeros.
            chunk.assign(static_cast<std::size_t>(chunk_planes) * spec.plane_bytes(), {});
            std::copy_n(values, bytes, chunk.begin());
            values += bytes;
            const std::size_t start = packed.size() + sizeof(ChunkHeader);
            packed.resize(start);
            bool is_packed = true;
            if (spec.zfp)
                is_packed = zfp_chunk(chunk, spec, packed);
            else
                deflate_chunk(chunk, spec, packed);
            const ChunkHeader header{
                block.dataset,         block.first_grid + g, block.first_plane + done,
                packed.size() - start, is_packed ? 0u : 1u,  0};
            std::memcpy(packed.data() + start - sizeof(header), &header, sizeof(header));
        }
}

std::int64_t write_packed(h5::Group root, const std::vector<GridSpec>& specs,
                          std::span<const std::byte> packed) {
    std::int64_t chunks = 0;
    for (; !packed.empty(); ++chunks) {
        ChunkHeader header;
        if (packed.size() < sizeof(header)) throw damaged(root.file());
        std::memcpy(&header, packed.data(), sizeof(header));
        packed = packed.subspan(sizeof(header));
        if (header.bytes > packed.size() || header.dataset < 0 ||
            header.dataset >= static_cast<std::int64_t>(specs.size()))
            throw damaged(root.file());
        const GridSpec& spec = specs[static_cast<std::size_t>(header.dataset)];
        const h5::Dataset dataset = root.open_dataset(spec.name);
        const auto position = chunk_position(spec, header.grid, header.first_plane);
        if (H5Dwrite_chunk(dataset.id(), H5P_DEFAULT, header.filters_left_out, position.data(),
                           header.bytes, packed.data()) < 0)
            throw Error("cannot write '" + spec.name + "' of '" + root.file() + "'",
                        h5::last_message(), "check that the disk has space", ExitCode::resources);
        packed = packed.subspan(header.bytes);
    }
    return chunks;
}

double compression_ratio(const h5::Dataset& dataset) {
    const h5::SpaceHandle space(H5Dget_space(dataset.id()));
    const h5::TypeHandle type(H5Dget_type(dataset.id()));
    const auto points = static_cast<double>(H5Sget_simple_extent_npoints(space.get()));
    const auto stored = static_cast<double>(H5Dget_storage_size(dataset.id()));
    return stored > 0 ? points * static_cast<double>(H5Tget_size(type.get())) / stored : 1;
}

void note_rounding(const h5::Group& root, const std::string& name, double largest_error) {
    h5::Dataset dataset = root.open_dataset(name);
    dataset.write_attribute("largest_error", largest_error);
    dataset.write_attribute("compression_ratio", compression_ratio(dataset));
}

}  // namespace tessera::io

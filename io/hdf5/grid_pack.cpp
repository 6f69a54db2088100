#include "io/hdf5/grid_pack.hpp"

#include <zlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>

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

/// A chunk before it is packed. The last chunk of a grid may have fewer bytes than the others.
struct PlainChunk {
    const GridSpec* spec = nullptr;
    ChunkHeader header;
    std::span<const std::byte> values;
};

std::vector<PlainChunk> chunks_of(const std::vector<GridSpec>& specs,
                                  const std::vector<GridBlock>& blocks, const std::byte* values) {
    std::vector<PlainChunk> chunks;
    for (const GridBlock& block : blocks) {
        const GridSpec& spec = specs[static_cast<std::size_t>(block.dataset)];
        const std::int64_t chunk_planes = std::min(spec.chunk_planes, spec.shape[2]);
        for (std::int64_t g = 0; g < block.grids; ++g)
            for (std::int64_t done = 0; done < block.planes; done += chunk_planes) {
                const std::int64_t planes = std::min(chunk_planes, block.planes - done);
                const std::size_t bytes = static_cast<std::size_t>(planes) * spec.plane_bytes();
                chunks.push_back({&spec,
                                  {block.dataset, block.first_grid + g, block.first_plane + done},
                                  {values, bytes}});
                values += bytes;
            }
    }
    return chunks;
}

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

/// The bytes that HDF5 stores after shuffle and gzip.
std::vector<std::byte> deflate_chunk(std::vector<std::byte>& chunk, const GridSpec& spec) {
    if (spec.largest_error > 0)
        spec.double_precision ? round_chunk<double>(chunk, spec) : round_chunk<float>(chunk, spec);
    std::vector<std::byte> shuffled;
    shuffle(chunk, spec.double_precision ? 8 : 4, shuffled);
    uLongf length = compressBound(shuffled.size());
    std::vector<std::byte> packed(length);
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &length,
                  reinterpret_cast<const Bytef*>(shuffled.data()), shuffled.size(),
                  spec.deflate) != Z_OK)
        throw Error("cannot compress a grid", "zlib is out of memory",
                    "use a device with more host memory, or no --compress", ExitCode::resources);
    packed.resize(length);
    packed.shrink_to_fit();  // many chunks are held at once
    return packed;
}

/// The same of zfp. Nothing for a chunk that stays plain, because zfp would change a value too
/// much.
std::optional<std::vector<std::byte>> zfp_chunk(std::span<const std::byte> chunk,
                                                const GridSpec& spec) {
    spec.double_precision ? require_finite<double>(chunk, spec.name)
                          : require_finite<float>(chunk, spec.name);
    auto packed = zfp_pack(spec.zfp_chunk(), chunk);
    if (packed) packed->shrink_to_fit();
    return packed;
}

/// The bytes of a chunk that HDF5 stores. Completes the header.
std::vector<std::byte> pack_chunk(PlainChunk& plain) {
    const GridSpec& spec = *plain.spec;
    // All chunks of a dataset have the same size, so the last chunk of a grid is padded with zeros.
    std::vector<std::byte> chunk(spec.chunk_bytes());
    std::ranges::copy(plain.values, chunk.begin());
    std::vector<std::byte> packed;
    if (spec.zfp) {
        auto made = zfp_chunk(chunk, spec);
        plain.header.filters_left_out = made ? 0 : 1;
        packed = made ? std::move(*made) : std::move(chunk);
    } else {
        packed = deflate_chunk(chunk, spec);
    }
    plain.header.bytes = packed.size();
    return packed;
}

Error damaged(const std::string& file) {
    return Error("compressed chunks for '" + file + "' are damaged",
                 "another build wrote the journal, or this is a bug", "start over with --force",
                 ExitCode::internal);
}

}  // namespace

int pack_threads() {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

void pack_blocks(const std::vector<GridSpec>& specs, const std::vector<GridBlock>& blocks,
                 const std::byte* values, [[maybe_unused]] int threads,
                 std::vector<std::byte>& packed) {
    std::vector<PlainChunk> chunks = chunks_of(specs, blocks, values);
    std::vector<std::vector<std::byte>> made(chunks.size());
    std::vector<std::exception_ptr> failures(chunks.size());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        try {
            made[i] = pack_chunk(chunks[i]);
        } catch (...) {
            failures[i] = std::current_exception();
        }
    }
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        const auto header = std::as_bytes(std::span(&chunks[i].header, 1));
        packed.insert(packed.end(), header.begin(), header.end());
        packed.insert(packed.end(), made[i].begin(), made[i].end());
        std::vector<std::byte>().swap(made[i]);
    }
}

std::int64_t write_packed(const h5::Group& root, const std::vector<GridSpec>& specs,
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

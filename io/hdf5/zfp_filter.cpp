#include "io/hdf5/zfp_filter.hpp"

#ifdef TESSERA_HAS_ZFP

#include <hdf5.h>
#include <zfp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

namespace tessera::io {

namespace {

// The first parameter: the versions of the library, the format and the layout that H5Z-ZFP has.
constexpr unsigned layout_version = 0x111;
constexpr unsigned versions = static_cast<unsigned>(ZFP_VERSION) << 16 |
                              static_cast<unsigned>(ZFP_CODEC) << 12 | layout_version;
constexpr std::size_t header_words = (ZFP_MAGIC_BITS + ZFP_META_BITS + ZFP_MODE_SHORT_BITS) / 32;

template <class T, void (*Close)(T*)>
struct Closer {
    void operator()(T* held) const { Close(held); }
};
using Stream = std::unique_ptr<zfp_stream, Closer<zfp_stream, zfp_stream_close>>;
using Field = std::unique_ptr<zfp_field, Closer<zfp_field, zfp_field_free>>;
using Bits = std::unique_ptr<bitstream, Closer<bitstream, stream_close>>;

/// A stream over memory, which must outlive it.
struct Coder {
    Stream stream{zfp_stream_open(nullptr)};
    Field field{zfp_field_alloc()};
    Bits bits;

    void use(std::vector<std::byte>& memory) {
        bits.reset(stream_open(memory.data(), memory.size()));
        zfp_stream_set_bit_stream(stream.get(), bits.get());
        zfp_stream_rewind(stream.get());
    }
    /// Room for the longest stream. The decoder does not know where its input ends, and reads at
    /// most this much.
    std::size_t room() const { return zfp_stream_maximum_size(stream.get(), field.get()); }
};

Coder coder_for(const ZfpChunk& chunk) {
    Coder coder;
    zfp_stream_set_accuracy(coder.stream.get(), chunk.largest_error);
    const auto length = [&](std::size_t axis) {
        return static_cast<std::size_t>(chunk.shape[axis]);
    };
    zfp_field_set_type(coder.field.get(),
                       chunk.double_precision ? zfp_type_double : zfp_type_float);
    zfp_field_set_size_3d(coder.field.get(), length(0), length(1), length(2));
    return coder;
}

/// The coder that parameters describe, or nothing.
std::optional<Coder> coder_from(std::span<const unsigned> parameters) {
    if (parameters.size() < 1 + header_words) return std::nullopt;
    std::vector<std::byte> header(128);
    std::memcpy(header.data(), parameters.data() + 1, header_words * sizeof(unsigned));
    Coder coder;
    coder.use(header);
    if (zfp_read_header(coder.stream.get(), coder.field.get(), ZFP_HEADER_FULL) == 0 ||
        zfp_stream_compression_mode(coder.stream.get()) != zfp_mode_fixed_accuracy ||
        zfp_field_dimensionality(coder.field.get()) != 3)
        return std::nullopt;
    const zfp_type type = zfp_field_type(coder.field.get());
    if (type != zfp_type_float && type != zfp_type_double) return std::nullopt;
    return coder;
}

std::uint64_t bytes_of(const Coder& coder) {
    return zfp_field_size(coder.field.get(), nullptr) *
           zfp_type_size(zfp_field_type(coder.field.get()));
}

std::optional<std::vector<std::byte>> unpack(Coder& coder, std::span<const std::byte> packed) {
    std::vector<std::byte> input(std::max(coder.room(), packed.size()) + 64);
    std::ranges::copy(packed, input.begin());
    std::vector<std::byte> values(bytes_of(coder));
    coder.use(input);
    zfp_field_set_pointer(coder.field.get(), values.data());
    if (zfp_decompress(coder.stream.get(), coder.field.get()) == 0) return std::nullopt;
    return values;
}

template <class Real>
bool is_within(std::span<const std::byte> a, std::span<const std::byte> b, double most) {
    std::size_t outside = 0;  // no early end, so that the loop uses vectors
    for (std::size_t at = 0; at < a.size(); at += sizeof(Real)) {
        Real x, y;
        std::memcpy(&x, a.data() + at, sizeof(Real));
        std::memcpy(&y, b.data() + at, sizeof(Real));
        outside += !(std::abs(static_cast<double>(x) - static_cast<double>(y)) <= most);
    }
    return outside == 0;
}

/// HDF5 calls this for a chunk. Packed chunks are written as they are (H5Dwrite_chunk), so it only
/// unpacks. It must not throw.
std::size_t run_filter(unsigned flags, std::size_t count, const unsigned* parameters,
                       std::size_t bytes, std::size_t* room, void** buffer) {
    if ((flags & H5Z_FLAG_REVERSE) == 0) return 0;
    try {
        const auto values =
            zfp_unpack({parameters, count}, {static_cast<const std::byte*>(*buffer), bytes});
        if (!values) return 0;
        void* const out = H5allocate_memory(values->size(), false);
        if (!out) return 0;
        std::memcpy(out, values->data(), values->size());
        H5free_memory(*buffer);
        *buffer = out;
        return *room = values->size();
    } catch (const std::exception&) {
        return 0;
    }
}

}  // namespace

bool has_zfp() { return true; }

void register_zfp() {
    static const herr_t done = [] {
        const H5Z_class2_t kind{H5Z_CLASS_T_VERS, zfp_filter, 1,         1, "zfp",
                                nullptr,          nullptr,    run_filter};
        return H5Zregister(&kind);
    }();
    static_cast<void>(done);  // without it HDF5 refuses the dataset
}

std::vector<unsigned> zfp_parameters(const ZfpChunk& chunk) {
    Coder coder = coder_for(chunk);
    std::vector<std::byte> header(128);
    coder.use(header);
    const std::size_t length =
        zfp_write_header(coder.stream.get(), coder.field.get(), ZFP_HEADER_FULL);
    if (length != 32 * header_words) return {};
    zfp_stream_flush(coder.stream.get());
    std::vector<unsigned> parameters(1 + header_words, versions);
    std::memcpy(parameters.data() + 1, header.data(), header_words * sizeof(unsigned));
    return parameters;
}

std::optional<std::uint64_t> zfp_unpacked_bytes(std::span<const unsigned> parameters) {
    const auto coder = coder_from(parameters);
    return coder ? std::optional(bytes_of(*coder)) : std::nullopt;
}

std::optional<std::vector<std::byte>> zfp_pack(const ZfpChunk& chunk,
                                               std::span<const std::byte> values) {
    Coder coder = coder_for(chunk);
    std::vector<std::byte> packed(coder.room());
    coder.use(packed);
    zfp_field_set_pointer(coder.field.get(),
                          const_cast<void*>(static_cast<const void*>(values.data())));
    packed.resize(zfp_compress(coder.stream.get(), coder.field.get()));
    if (packed.empty()) return std::nullopt;
    const auto back = unpack(coder, packed);
    if (!back || !(chunk.double_precision ? is_within<double>
                                          : is_within<float>)(values, *back, chunk.largest_error))
        return std::nullopt;
    return packed;
}

std::optional<std::vector<std::byte>> zfp_unpack(std::span<const unsigned> parameters,
                                                 std::span<const std::byte> packed) {
    auto coder = coder_from(parameters);
    return coder ? unpack(*coder, packed) : std::nullopt;
}

}  // namespace tessera::io

#else

namespace tessera::io {

bool has_zfp() { return false; }
void register_zfp() {}
std::vector<unsigned> zfp_parameters(const ZfpChunk&) { return {}; }
std::optional<std::uint64_t> zfp_unpacked_bytes(std::span<const unsigned>) { return {}; }
std::optional<std::vector<std::byte>> zfp_pack(const ZfpChunk&, std::span<const std::byte>) {
    return {};
}
std::optional<std::vector<std::byte>> zfp_unpack(std::span<const unsigned>,
                                                 std::span<const std::byte>) {
    return {};
}

}  // namespace tessera::io

#endif

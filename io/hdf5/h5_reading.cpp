// The part of io/hdf5/h5.hpp that reads datasets. Before anything is read, it checks that the file
// holds all of it: a few bytes can claim 2^60 values, a type of gigabytes or the contents of
// another file.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include "core/error.hpp"
#include "io/hdf5/h5.hpp"
#include "io/hdf5/h5_text_references.hpp"
#include "io/hdf5/h5_types.hpp"
#include "io/hdf5/zfp_filter.hpp"

namespace tessera::io::h5 {

namespace {

std::string quoted(const std::string& name) { return "dataset '" + name + "'"; }

/// Returns why the filters of a dataset are not allowed, or an empty text. Two compressing filters
/// in a row could expand a few bytes to any size. What is shuffled after it was compressed cannot
/// be checked before HDF5 unpacks it.
std::string unknown_filter(hid_t creation) {
    int packing = 0;
    for (int i = 0; i < H5Pget_nfilters(creation); ++i) {
        unsigned flags = 0;
        std::size_t values = 0;
        const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags,
                                                   &values, nullptr, 0, nullptr, nullptr);
        if (filter == H5Z_FILTER_SHUFFLE && packing > 0) return "it is shuffled after packing";
        packing += filter == H5Z_FILTER_DEFLATE || filter == zfp_filter;
        if (filter == zfp_filter && !has_zfp())
            return "it is packed by zfp, which this build lacks";
        const bool known = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
                           filter == H5Z_FILTER_FLETCHER32 || filter == zfp_filter;
        if (!known || packing > 1)
            return "it is packed by filter " + std::to_string(filter) +
                   (known ? " twice" : ", but tessera uses gzip and zfp");
    }
    return "";
}

/// The chunks of a dataset. HDF5 always reads and unpacks a whole chunk, however little is wanted.
struct Chunks {
    Shape lengths;  ///< of one chunk; empty if HDF5 does not know
    Shape along;    ///< the number of chunks along each axis

    Chunks(const Shape& shape, hid_t creation) {
        std::vector<hsize_t> chunk(shape.size(), 1);
        if (H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()) !=
            static_cast<int>(chunk.size()))
            return;
        lengths.assign(chunk.begin(), chunk.end());
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            along.push_back(shape[axis] / chunk[axis] + (shape[axis] % chunk[axis] > 0));
    }

    std::uint64_t count() const { return lengths.empty() ? 0 : element_count(along); }
    /// The position of the first value of chunk `number`; the last axis varies fastest.
    std::vector<hsize_t> place(std::uint64_t number) const {
        std::vector<hsize_t> first(along.size());
        for (std::size_t axis = along.size(); axis-- > 0; number /= along[axis])
            first[axis] = number % along[axis] * lengths[axis];
        return first;
    }
};

/// Whether zlib data unpacks to more than `most` bytes.
bool unpacks_beyond(std::vector<unsigned char>& packed, std::uint64_t most) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
    stream.next_in = packed.data();
    stream.avail_in = static_cast<uInt>(packed.size());
    std::array<unsigned char, 1 << 16> room;
    for (int result = Z_OK; result == Z_OK && stream.total_out <= most;) {
        stream.next_out = room.data();
        stream.avail_out = static_cast<uInt>(room.size());
        result = inflate(&stream, Z_NO_FLUSH);
    }
    const bool beyond = stream.total_out > most;
    inflateEnd(&stream);
    return beyond;
}

/// Whether a chunk unpacks to more than its size of `bytes`. Only chunks that could unpack to more
/// than `allowed` bytes are examined. There are few of them, because they are large for their file.
bool is_bomb(hid_t dataset, const std::vector<hsize_t>& place, std::uint64_t bytes,
             std::uint64_t allowed) {
    constexpr std::uint64_t most_packing = 1032;  // of deflate
    constexpr std::uint64_t checksums = 64;
    hsize_t stored = 0;
    if (H5Dget_chunk_storage_size(dataset, place.data(), &stored) < 0) return true;
    if (stored <= allowed / most_packing) return false;
    std::vector<unsigned char> packed(stored);
    std::uint32_t filters_left_out = 0;
    if (H5Dread_chunk(dataset, H5P_DEFAULT, place.data(), &filters_left_out, packed.data()) < 0)
        return true;
    return unpacks_beyond(packed, bytes + checksums);
}

/// Returns why the chunks of a dataset, of `bytes` each, take more memory than `allowed`, or an
/// empty text.
std::string chunks_too_large(hid_t dataset, hid_t creation, const Chunks& chunks,
                             std::uint64_t bytes, std::uint64_t allowed) {
    if (bytes > allowed) return "one of its chunks is larger than a file of this size can need";
    bool packed = false;
    for (int i = 0; i < H5Pget_nfilters(creation); ++i) {
        unsigned flags = 0;
        std::array<unsigned, 16> parameters{};
        std::size_t values = parameters.size();
        const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags,
                                                   &values, parameters.data(), 0, nullptr, nullptr);
        packed = packed || filter == H5Z_FILTER_DEFLATE;
        const std::span known(parameters.data(), std::min(values, parameters.size()));
        if (filter == zfp_filter && zfp_unpacked_bytes(known) != bytes)
            return "its parameters of zfp are not those of its chunks";
    }
    for (std::uint64_t i = 0; packed && i < chunks.count(); ++i)
        if (is_bomb(dataset, chunks.place(i), bytes, allowed))
            return "one of its chunks unpacks to more than it holds";
    return "";
}

/// Memory for texts of variable length, limited to what may still be read.
struct TextMemory {
    std::uint64_t left;
    std::vector<std::unique_ptr<char[]>> texts;

    static void* take(std::size_t size, void* memory) {
        auto& self = *static_cast<TextMemory*>(memory);
        if (size > self.left) return nullptr;
        self.left -= size;
        return self.texts.emplace_back(new (std::nothrow) char[size]).get();
    }
    static void give(void*, void*) {}
};

}  // namespace

Shape Dataset::shape() const {
    const SpaceHandle space(check_read(H5Dget_space(handle_.get()), "read the shape of", name_));
    return shape_of(space.get());
}

void Dataset::require_stored() const {
    const PropertyHandle creation(
        check_read(H5Dget_create_plist(handle_.get()), "read the layout of", name_));
    const TypeHandle type(check_read(H5Dget_type(handle_.get()), "read the type of", name_));
    const SpaceHandle space(check_read(H5Dget_space(handle_.get()), "read the shape of", name_));
    const Shape lengths = shape_of(space.get());
    if (element_count(lengths) == 0) return;
    const H5D_layout_t layout = H5Pget_layout(creation.get());
    if (layout == H5D_VIRTUAL || H5Pget_external_count(creation.get()) != 0)
        refuse(quoted(name_), "its values lie in another file");
    if (const std::string why = unknown_filter(creation.get()); !why.empty())
        refuse(quoted(name_), why);
    const std::uint64_t stored = H5Dget_storage_size(handle_.get());
    hsize_t file_size = 0, stored_chunks = 0;
    const FileHandle file(H5Iget_file_id(handle_.get()));
    check_read(H5Fget_filesize(file.get(), &file_size), "read the size of", name_);
    bool whole = stored <= file_size;
    if (layout == H5D_CHUNKED) {
        check_read(H5Dget_num_chunks(handle_.get(), space.get(), &stored_chunks), "count", name_);
        const Chunks chunks(lengths, creation.get());
        whole = whole && stored_chunks == chunks.count();
        const std::uint64_t bytes =
            element_count({element_count(chunks.lengths), H5Tget_size(type.get())});
        if (whole && !access_->is_being_written)
            if (const std::string why = chunks_too_large(handle_.get(), creation.get(), chunks,
                                                         bytes, access_->most_bytes);
                !why.empty())
                refuse(quoted(name_), why);
    } else {
        // In the file, texts of variable length occupy more bytes than their pointers in memory.
        whole = whole && stored / H5Tget_size(type.get()) >= element_count(lengths);
    }
    if (!whole) refuse(quoted(name_), "not all of its values are in the file");
}

template <Number T>
Array<T> Dataset::read() const {
    const TypeHandle stored(check_read(H5Dget_type(handle_.get()), "read the type of", name_));
    if (!reads_as<T>(stored.get())) refuse(quoted(name_), "its values have another type");
    require_stored();
    Array<T> array{shape(), {}};
    count_read(element_count({element_count(array.shape), sizeof(T)}), quoted(name_));
    array.values.resize(element_count(array.shape));
    if (!array.values.empty())
        check_read(H5Dread(handle_.get(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                           array.values.data()),
                   "read dataset", name_);
    return array;
}

double Dataset::read_first() const {
    const TypeHandle stored(check_read(H5Dget_type(handle_.get()), "read the type of", name_));
    if (!reads_as<double>(stored.get())) refuse(quoted(name_), "its values have another type");
    const Shape lengths = shape();
    if (lengths.empty() || element_count(lengths) == 0) refuse(quoted(name_), "it is empty");
    require_stored();
    const SpaceHandle space(check_read(H5Dget_space(handle_.get()), "read the shape of", name_));
    const std::vector<hsize_t> begin(lengths.size(), 0), one(lengths.size(), 1);
    check_read(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, begin.data(), nullptr, one.data(),
                                   nullptr),
               "select in", name_);
    const SpaceHandle single(H5Screate(H5S_SCALAR));
    double value = 0;
    count_read(sizeof(value), quoted(name_));
    check_read(H5Dread(handle_.get(), memory_type<double>(), single.get(), space.get(), H5P_DEFAULT,
                       &value),
               "read dataset", name_);
    return value;
}

std::vector<std::string> Dataset::read_strings() const {
    const TypeHandle stored(check_read(H5Dget_type(handle_.get()), "read the type of", name_));
    if (H5Tget_class(stored.get()) != H5T_STRING) refuse(quoted(name_), "it is not text");
    require_stored();
    const SpaceHandle space(check_read(H5Dget_space(handle_.get()), "read the shape of", name_));
    const std::uint64_t count = element_count(shape_of(space.get()));
    const std::size_t size = H5Tget_size(stored.get()) + sizeof(std::string);
    count_read(element_count({count, size}), quoted(name_));
    if (H5Tis_variable_str(stored.get()) > 0)
        require_texts(handle_.get(), count, quoted(name_), [&](hid_t type, void* into) {
            return H5Dread(handle_.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, into);
        });
    TextMemory memory{access_->readable_bytes, {}};
    const PropertyHandle transfer(H5Pcreate(H5P_DATASET_XFER));
    H5Pset_vlen_mem_manager(transfer.get(), TextMemory::take, &memory, TextMemory::give, &memory);
    const auto texts = read_texts(
        stored.get(), space.get(), count,
        [&](hid_t type, void* into) {
            check_read(H5Dread(handle_.get(), type, H5S_ALL, H5S_ALL, transfer.get(), into),
                       "read dataset", name_);
        },
        transfer.get());
    access_->readable_bytes = memory.left;
    for (const std::string& text : texts)
        if (text.find('\0') != std::string::npos)
            refuse(quoted(name_), "a text contains a zero byte");
    return texts;
}

std::size_t Dataset::begin_table(std::size_t row_size, const std::vector<Column>& columns) const {
    const Shape lengths = shape();
    const TypeHandle stored(check_read(H5Dget_type(handle_.get()), "read the type of", name_));
    if (lengths.size() != 1 || H5Tget_class(stored.get()) != H5T_COMPOUND)
        refuse(quoted(name_), "it is not a table");
    for (const Column& column : columns) {
        const int member = H5Tget_member_index(stored.get(), column.name.c_str());
        if (member < 0) continue;
        const TypeHandle type(H5Tget_member_type(stored.get(), static_cast<unsigned>(member)));
        const bool fits =
            column.kind == Column::Kind::integer ? reads_as<std::int64_t>(type.get())
            : column.kind == Column::Kind::real
                ? reads_as<double>(type.get())
                : H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0;
        if (!fits) refuse(quoted(name_), "its column '" + column.name + "' has another type");
    }
    require_stored();
    const std::size_t stored_size = H5Tget_size(stored.get());
    count_read(element_count({lengths[0], std::max(row_size, stored_size)}), quoted(name_));
    return lengths[0];
}

void Dataset::fill_table(void* rows, std::size_t row_size,
                         const std::vector<Column>& columns) const {
    const TypeHandle memory = row_type(columns, row_size, false);
    if (element_count(shape()) > 0)
        check_read(H5Dread(handle_.get(), memory.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows),
                   "read table", name_);
}

#define TESSERA_INSTANTIATE(T) template Array<T> Dataset::read() const;
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(std::int32_t)
TESSERA_INSTANTIATE(std::int64_t)
TESSERA_INSTANTIATE(std::uint32_t)
TESSERA_INSTANTIATE(std::uint64_t)
TESSERA_INSTANTIATE(std::int8_t)
TESSERA_INSTANTIATE(std::uint8_t)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::io::h5

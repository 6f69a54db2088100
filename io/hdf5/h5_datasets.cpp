// The part of io/hdf5/h5.hpp that writes datasets: arrays of numbers, lists of texts, tables.
#include <algorithm>

#include "core/error.hpp"
#include "io/hdf5/h5.hpp"
#include "io/hdf5/h5_types.hpp"

namespace tessera::io::h5 {

namespace {

SpaceHandle space_of(const Shape& shape) {
    if (shape.empty()) return SpaceHandle(H5Screate(H5S_SCALAR));
    const std::vector<hsize_t> lengths(shape.begin(), shape.end());
    return SpaceHandle(H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr));
}

/// A chunk of at most about 1 MiB. The slowest axes are cut first, so that a chunk is contiguous in
/// the order of the file.
std::vector<hsize_t> default_chunk(const Shape& shape, std::size_t element_size) {
    constexpr std::uint64_t bytes = std::uint64_t{1} << 20;
    std::vector<hsize_t> chunk(shape.begin(), shape.end());
    std::uint64_t size = element_count(shape) * element_size;
    for (std::size_t axis = 0; axis < chunk.size() && size > bytes; ++axis) {
        const std::uint64_t others = size / chunk[axis];
        chunk[axis] = std::max<hsize_t>(1, bytes / std::max<std::uint64_t>(others, 1));
        size = others * chunk[axis];
    }
    return chunk;
}

bool has_deflate() {
    unsigned abilities = 0;
    return H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0 &&
           H5Zget_filter_info(H5Z_FILTER_DEFLATE, &abilities) >= 0 &&
           (abilities & H5Z_FILTER_CONFIG_ENCODE_ENABLED) != 0;
}

PropertyHandle layout(const Shape& shape, const DatasetOptions& options, std::size_t element_size) {
    PropertyHandle properties(H5Pcreate(H5P_DATASET_CREATE));
    // Without times the same content gives the same bytes.
    H5Pset_obj_track_times(properties.get(), false);
    const bool chunked = !options.chunk.empty() || options.deflate > 0;
    if (!chunked || shape.empty() || element_count(shape) == 0) return properties;
    const std::vector<hsize_t> chunk =
        options.chunk.empty() ? default_chunk(shape, element_size)
                              : std::vector<hsize_t>(options.chunk.begin(), options.chunk.end());
    H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
    if (options.deflate > 0 && has_deflate()) {
        H5Pset_shuffle(properties.get());
        H5Pset_deflate(properties.get(), static_cast<unsigned>(options.deflate));
    }
    return properties;
}

}  // namespace

Dataset Group::write_raw(const std::string& name, hid_t stored, hid_t memory, const void* data,
                         const Shape& shape, const DatasetOptions& options) {
    const std::string path = path_of(name);
    const PropertyHandle links(H5Pcreate(H5P_LINK_CREATE));
    H5Pset_create_intermediate_group(links.get(), 1);
    H5Pset_char_encoding(links.get(), H5T_CSET_UTF8);
    const PropertyHandle properties = layout(shape, options, H5Tget_size(stored));
    const SpaceHandle space = space_of(shape);
    ObjectHandle handle(check(H5Dcreate2(handle_.get(), name.c_str(), stored, space.get(),
                                         links.get(), properties.get(), H5P_DEFAULT),
                              "create dataset", path));
    if (element_count(shape) > 0)
        check(H5Dwrite(handle.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write dataset",
              path);
    Dataset dataset(std::move(handle), access_, path);
    if (!options.units.empty()) dataset.write_attribute("units", options.units);
    return dataset;
}

template <Number T>
Dataset Group::write(const std::string& name, std::span<const T> values, const Shape& shape,
                     const DatasetOptions& options) {
    if (values.size() != element_count(shape))
        throw Error("cannot write '" + path_of(name) + "' of '" + file() + "'",
                    std::to_string(values.size()) + " values for a shape of " +
                        std::to_string(element_count(shape)),
                    "please report this", ExitCode::internal);
    return write_raw(name, stored_type<T>(), memory_type<T>(), values.data(), shape, options);
}

Dataset Group::write_strings(const std::string& name, const std::vector<std::string>& texts,
                             const Shape& shape) {
    const TypeHandle type = variable_text_type();
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    return write_raw(name, type.get(), type.get(), pointers.data(), shape, {});
}

Dataset Group::write_table(const std::string& name, const void* rows, std::size_t row_size,
                           std::size_t count, const std::vector<Column>& columns) {
    const TypeHandle stored = row_type(columns, row_size, true);
    const TypeHandle memory = row_type(columns, row_size, false);
    Dataset table = write_raw(name, stored.get(), memory.get(), rows, {count}, {});
    std::vector<std::string> units;
    for (const Column& column : columns) units.push_back(column.units);
    if (std::ranges::any_of(units, [](const std::string& unit) { return !unit.empty(); }))
        table.write_attribute("units", units);
    return table;
}

#define TESSERA_INSTANTIATE(T)                                                                     \
    template Dataset Group::write(const std::string&, std::span<const T>, const Shape&,            \
                                  const DatasetOptions&);
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

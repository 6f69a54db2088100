#include "io/hdf5/h5_types.hpp"

#include <algorithm>
#include <limits>

namespace tessera::io::h5 {

TypeHandle variable_text_type() {
    TypeHandle type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.get(), H5T_VARIABLE);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    return type;
}

TypeHandle fixed_text_type(std::size_t size) {
    TypeHandle type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.get(), size);
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    return type;
}

TypeHandle row_type(const std::vector<Column>& columns, std::size_t row_size, bool packed) {
    const auto field = [&](const Column& column) {
        if (column.kind == Column::Kind::text) return fixed_text_type(column.text_size);
        const bool real = column.kind == Column::Kind::real;
        if (packed) return TypeHandle(H5Tcopy(real ? H5T_IEEE_F64LE : H5T_STD_I64LE));
        return TypeHandle(H5Tcopy(real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64));
    };
    std::size_t size = 0;
    for (const Column& column : columns) size += H5Tget_size(field(column).get());
    TypeHandle row(H5Tcreate(H5T_COMPOUND, packed ? size : row_size));
    std::size_t offset = 0;
    for (const Column& column : columns) {
        const TypeHandle type = field(column);
        H5Tinsert(row.get(), column.name.c_str(), packed ? offset : column.offset, type.get());
        offset += H5Tget_size(type.get());
    }
    return row;
}

namespace {

/// Extracts the system's message from a driver's list of fields ("..., errno = 28, error message =
/// 'No space left on device', buf = ..."). Returns other texts unchanged.
std::string readable(const std::string& message) {
    const std::string field = "error message = '";
    const std::size_t begin = message.find(field);
    if (begin == std::string::npos) return message;
    const std::size_t first = begin + field.size(), end = message.find('\'', first);
    return message.substr(first, end - first);
}

/// The message of the innermost function that failed.
std::string innermost_message() {
    std::string message;
    const H5E_walk2_t take_first = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
        auto& text = *static_cast<std::string*>(out);
        if (text.empty() && error->desc) text = error->desc;
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &message);
    return message;
}

}  // namespace

std::string last_message() {
    const std::string message = innermost_message();
    return message.empty() ? "HDF5 gives no reason" : readable(message);
}

bool system_failed() { return innermost_message().find("errno = ") != std::string::npos; }

void silence() {
    // Handles close their objects themselves. If a full disk prevents that, HDF5's own exit handler
    // would crash.
    static const bool without_own_end = H5dont_atexit() >= 0;
    static_cast<void>(without_own_end);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Shape shape_of(hid_t space) {
    if (H5Sget_simple_extent_type(space) == H5S_NULL) return {0};
    const int axes = H5Sget_simple_extent_ndims(space);
    std::vector<hsize_t> lengths(static_cast<std::size_t>(axes > 0 ? axes : 0));
    if (axes > 0) H5Sget_simple_extent_dims(space, lengths.data(), nullptr);
    return Shape(lengths.begin(), lengths.end());
}

std::uint64_t element_count(const Shape& shape) {
    constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
    if (std::ranges::count(shape, 0) > 0) return 0;
    std::uint64_t count = 1;
    for (const std::uint64_t length : shape)
        count = count > largest / length ? largest : count * length;
    return count;
}

}  // namespace tessera::io::h5

#include "io/h5_types.hpp"

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

namespace {

/// Of a driver's list of fields ("..., errno = 28, error message = 'No space left on device', buf = ...") what
/// the system said; other texts whole.
std::string readable(const std::string& message) {
    const std::string field = "error message = '";
    const std::size_t begin = message.find(field);
    if (begin == std::string::npos) return message;
    const std::size_t first = begin + field.size(), end = message.find('\'', first);
    return message.substr(first, end - first);
}

}  // namespace

std::string last_message() {
    std::string message;
    const H5E_walk2_t take_first = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
        auto& text = *static_cast<std::string*>(out);
        if (text.empty() && error->desc) text = error->desc;
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &message);
    return message.empty() ? "HDF5 gives no reason" : readable(message);
}

void silence() {
    // Handles close what they hold; where a full disk lets that fail, HDF5's own end would crash on it.
    static const bool without_own_end = H5dont_atexit() >= 0;
    static_cast<void>(without_own_end);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Shape shape_of(hid_t space) {
    const int axes = H5Sget_simple_extent_ndims(space);
    std::vector<hsize_t> lengths(static_cast<std::size_t>(axes > 0 ? axes : 0));
    if (axes > 0) H5Sget_simple_extent_dims(space, lengths.data(), nullptr);
    return Shape(lengths.begin(), lengths.end());
}

std::uint64_t element_count(const Shape& shape) {
    std::uint64_t count = 1;
    for (const std::uint64_t length : shape) count *= length;
    return count;
}

}  // namespace tessera::io::h5

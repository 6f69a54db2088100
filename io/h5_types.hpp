// How the program's types are called in memory and in the file.
#pragma once

#include <string>

#include "io/h5.hpp"

namespace tessera::io::h5 {

template <Number T>
hid_t memory_type() {
    if constexpr (std::same_as<T, double>) return H5T_NATIVE_DOUBLE;
    if constexpr (std::same_as<T, float>) return H5T_NATIVE_FLOAT;
    if constexpr (std::same_as<T, std::int32_t>) return H5T_NATIVE_INT32;
    if constexpr (std::same_as<T, std::int64_t>) return H5T_NATIVE_INT64;
    if constexpr (std::same_as<T, std::uint32_t>) return H5T_NATIVE_UINT32;
    if constexpr (std::same_as<T, std::uint64_t>) return H5T_NATIVE_UINT64;
    if constexpr (std::same_as<T, std::int8_t>) return H5T_NATIVE_INT8;
    if constexpr (std::same_as<T, std::uint8_t>) return H5T_NATIVE_UINT8;
}

template <Number T>
hid_t stored_type() {
    if constexpr (std::same_as<T, double>) return H5T_IEEE_F64LE;
    if constexpr (std::same_as<T, float>) return H5T_IEEE_F32LE;
    if constexpr (std::same_as<T, std::int32_t>) return H5T_STD_I32LE;
    if constexpr (std::same_as<T, std::int64_t>) return H5T_STD_I64LE;
    if constexpr (std::same_as<T, std::uint32_t>) return H5T_STD_U32LE;
    if constexpr (std::same_as<T, std::uint64_t>) return H5T_STD_U64LE;
    if constexpr (std::same_as<T, std::int8_t>) return H5T_STD_I8LE;
    if constexpr (std::same_as<T, std::uint8_t>) return H5T_STD_U8LE;
}

/// UTF-8 text: of variable length, or zero-padded in `size` bytes.
TypeHandle variable_text_type();
TypeHandle fixed_text_type(std::size_t size);

/// The innermost message of HDF5's error stack ("unable to open file: ... No such file ...").
std::string last_message();
/// HDF5 prints no error stack of its own from here on (in this thread).
void silence();

/// The dataspace's axes.
Shape shape_of(hid_t space);
std::uint64_t element_count(const Shape& shape);
/// Texts of an attribute or dataset; `read` fills a buffer of the memory type it is given.
/// Works for stored text of variable and of fixed length.
template <class Read>
std::vector<std::string> read_texts(hid_t stored, hid_t space, Read&& read) {
    const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
    std::vector<std::string> texts(count);
    if (count == 0) return texts;
    if (H5Tis_variable_str(stored) > 0) {
        const TypeHandle type = variable_text_type();
        H5Tset_cset(type.get(), H5Tget_cset(stored));
        std::vector<char*> pointers(count, nullptr);
        read(type.get(), pointers.data());
        for (std::size_t i = 0; i < count; ++i)
            if (pointers[i]) texts[i] = pointers[i];
        H5Dvlen_reclaim(type.get(), space, H5P_DEFAULT, pointers.data());
    } else {
        const std::size_t size = H5Tget_size(stored);
        const TypeHandle type(H5Tcopy(stored));
        std::string bytes(count * size, '\0');
        read(type.get(), bytes.data());
        for (std::size_t i = 0; i < count; ++i) {
            texts[i] = bytes.substr(i * size, size);
            texts[i].resize(texts[i].find_last_not_of('\0') + 1);
        }
    }
    return texts;
}

}  // namespace tessera::io::h5

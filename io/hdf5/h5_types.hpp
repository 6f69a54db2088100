// The HDF5 types of the program's types in memory and in the file.
#pragma once

#include <cstring>
#include <memory>
#include <string>

#include "io/hdf5/h5.hpp"

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

/// UTF-8 text of variable length, or zero-padded in `size` bytes.
TypeHandle variable_text_type();
TypeHandle fixed_text_type(std::size_t size);
/// The compound type of a row in memory (`packed` false) or in the file.
TypeHandle row_type(const std::vector<Column>& columns, std::size_t row_size, bool packed);

/// Whether numbers of this stored type can be read as T: integers as any type, real numbers only as
/// real types.
template <Number T>
bool reads_as(hid_t stored) {
    const H5T_class_t kind = H5Tget_class(stored);
    return kind == H5T_INTEGER || (kind == H5T_FLOAT && std::floating_point<T>);
}

/// The innermost message of HDF5's error stack ("unable to open file: ... No such file ...").
std::string last_message();
/// Whether the operating system caused the last failure (a disk error), rather than the content of
/// the file.
bool system_failed();
/// Stops HDF5 from printing its error stack in this thread.
void silence();

/// The axes of a dataspace; one axis of length 0 if it has no extent.
Shape shape_of(hid_t space);
/// The product of the lengths, limited to the largest representable number.
std::uint64_t element_count(const Shape& shape);

/// Reads texts of an attribute or dataset, of variable or fixed length. `read` fills a buffer of
/// the memory type that it gets. `transfer` sets how texts of variable length are allocated.
template <class Read>
std::vector<std::string> read_texts(hid_t stored, hid_t space, std::size_t count, Read&& read,
                                    hid_t transfer = H5P_DEFAULT) {
    std::vector<std::string> texts(count);
    if (count == 0) return texts;
    if (H5Tis_variable_str(stored) > 0) {
        const TypeHandle type = variable_text_type();
        H5Tset_cset(type.get(), H5Tget_cset(stored));
        std::vector<char*> pointers(count, nullptr);
        const auto reclaim = [&](char** data) {
            H5Dvlen_reclaim(type.get(), space, transfer, reinterpret_cast<void*>(data));
        };
        const std::unique_ptr<char*, decltype(reclaim)> guard(pointers.data(), reclaim);
        read(type.get(), pointers.data());
        for (std::size_t i = 0; i < count; ++i)
            if (pointers[i]) texts[i] = pointers[i];
    } else {
        const std::size_t size = H5Tget_size(stored);
        const TypeHandle type(H5Tcopy(stored));
        const H5T_str_t padding = H5Tget_strpad(stored);
        std::string bytes(count * size, '\0');
        read(type.get(), bytes.data());
        for (std::size_t i = 0; i < count; ++i) {
            texts[i] = bytes.substr(i * size, size);
            if (padding == H5T_STR_NULLTERM) texts[i].resize(std::strlen(texts[i].c_str()));
            const char filler = padding == H5T_STR_SPACEPAD ? ' ' : '\0';
            texts[i].resize(texts[i].find_last_not_of(filler) + 1);
        }
    }
    return texts;
}

}  // namespace tessera::io::h5

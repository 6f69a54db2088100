// Changes to an HDF5 file that know what it is made of, chosen by the bytes of a script.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "fuzz.hpp"
#include "io/hdf5/h5_handle.hpp"

namespace tessera::fuzz {

/// Bytes that make decisions; zeros behind their end.
class Script {
  public:
    Script(const std::uint8_t* data, std::size_t size) : data_(data), end_(data + size) {}
    bool ended() const { return data_ == end_; }
    std::uint8_t byte() { return ended() ? 0 : *data_++; }
    std::size_t below(std::size_t count) { return count == 0 ? 0 : byte() % count; }
    template <class T, std::size_t Count>
    T one_of(const std::array<T, Count>& choices) {
        return choices[below(Count)];
    }

  private:
    const std::uint8_t *data_, *end_;
};

/// A file in memory while it is changed.
class MutableFile {
  public:
    MutableFile(std::string image, Script& script) : script_(script) {
        const io::h5::PropertyHandle access(H5Pcreate(H5P_FILE_ACCESS));
        H5Pset_fapl_core(access.get(), 1 << 16, false);
        H5Pset_file_image(access.get(), image.data(), image.size());
        file_ = io::h5::FileHandle(H5Fopen("mutated.h5", H5F_ACC_RDWR, access.get()));
        require(file_.get() >= 0, "the image is a file");
        H5Lvisit(file_.get(), H5_INDEX_NAME, H5_ITER_INC, note, this);
    }

    void change() {
        const std::string path = nodes_[script_.below(nodes_.size())];
        switch (script_.below(9)) {
            case 0: return delete_node(path);
            case 1: return relink(path);
            case 2:
            case 3: return new_attribute(path);
            case 4:
            case 5: return new_dataset(path);
            default: return change_values(path);
        }
    }

    std::string bytes() const {
        H5Fflush(file_.get(), H5F_SCOPE_GLOBAL);
        std::string image(static_cast<std::size_t>(H5Fget_file_image(file_.get(), nullptr, 0)), 0);
        H5Fget_file_image(file_.get(), image.data(), image.size());
        return image;
    }

  private:
    using Type = io::h5::TypeHandle;
    using Space = io::h5::SpaceHandle;
    using Object = io::h5::ObjectHandle;
    using Properties = io::h5::PropertyHandle;

    static herr_t note(hid_t, const char* name, const H5L_info_t*, void* self) {
        static_cast<MutableFile*>(self)->nodes_.emplace_back(name);
        return 0;
    }

    void delete_node(const std::string& path) { H5Ldelete(file_.get(), path.c_str(), H5P_DEFAULT); }

    void relink(const std::string& path) {
        const std::string other = nodes_[script_.below(nodes_.size())];
        const std::size_t kind = script_.below(4);
        if (kind == 0 && other != path) {
            H5Ldelete(file_.get(), path.c_str(), H5P_DEFAULT);
            H5Lcreate_hard(file_.get(), other.c_str(), file_.get(), path.c_str(), H5P_DEFAULT,
                           H5P_DEFAULT);
            return;
        }
        delete_node(path);
        if (kind == 1)
            H5Lcreate_soft(other.c_str(), file_.get(), path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        if (kind == 2)
            H5Lcreate_external("/etc/passwd", "/x", file_.get(), path.c_str(), H5P_DEFAULT,
                               H5P_DEFAULT);
        if (kind == 3)
            Object(H5Gcreate2(file_.get(), path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }

    /// Whether values of the type are pointers in memory.
    static bool has_pointers(hid_t type) {
        for (int i = 0; H5Tget_class(type) == H5T_COMPOUND && i < H5Tget_nmembers(type); ++i)
            if (has_pointers(Type(H5Tget_member_type(type, static_cast<unsigned>(i))).get()))
                return true;
        return H5Tis_variable_str(type) > 0 || H5Tdetect_class(type, H5T_VLEN) > 0 ||
               H5Tdetect_class(type, H5T_REFERENCE) > 0;
    }

    double odd_real() {
        static constexpr std::array values{0.0,
                                           1.0,
                                           -1.0,
                                           2.0,
                                           40.0,
                                           1e308,
                                           -1e308,
                                           5e-324,
                                           0x1p40,
                                           0x1p62,
                                           99.0,
                                           0x1p31,
                                           std::numeric_limits<double>::quiet_NaN(),
                                           std::numeric_limits<double>::infinity()};
        return script_.one_of(values);
    }

    void change_values(const std::string& path) {
        const Object data(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT));
        if (data.get() < 0) return;
        const Type type(H5Dget_type(data.get()));
        const Space space(H5Dget_space(data.get()));
        const hssize_t count = H5Sget_simple_extent_npoints(space.get());
        const std::size_t size = H5Tget_size(type.get());
        constexpr std::size_t most = 1 << 20;
        if (count <= 0 || size == 0 || static_cast<std::size_t>(count) > most / size ||
            has_pointers(type.get()))
            return;
        const std::size_t at = script_.below(static_cast<std::size_t>(count));
        const H5T_class_t kind = H5Tget_class(type.get());
        if (kind == H5T_FLOAT || kind == H5T_INTEGER) {
            std::vector<double> values(static_cast<std::size_t>(count));
            H5Dread(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
            values[at] = odd_real();
            H5Dwrite(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
            return;
        }
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count) * size);
        H5Dread(data.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
        for (int i = 0; i < 8; ++i)
            bytes[(at * size + script_.byte()) % bytes.size()] = script_.byte();
        H5Dwrite(data.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
    }

    Type text(std::size_t size, H5T_str_t padding) {
        Type made(H5Tcopy(H5T_C_S1));
        H5Tset_size(made.get(), size);
        H5Tset_strpad(made.get(), padding);
        return made;
    }

    Type odd_type() {
        switch (script_.below(18)) {
            case 0: return Type(H5Tcopy(H5T_IEEE_F64LE));
            case 1: return Type(H5Tcopy(H5T_IEEE_F32BE));
            case 2: return Type(H5Tcopy(H5T_STD_I8LE));
            case 3: return Type(H5Tcopy(H5T_STD_I64LE));
            case 4: return Type(H5Tcopy(H5T_STD_U64BE));
            case 5: return Type(H5Tcopy(H5T_STD_I32BE));
            case 6: return Type(H5Tcopy(H5T_NATIVE_LDOUBLE));
            case 7: return Type(H5Tcopy(H5T_STD_REF_OBJ));
            case 8: return Type(H5Tcopy(H5T_STD_B64LE));
            case 9: return text(H5T_VARIABLE, H5T_STR_NULLTERM);
            case 10: return text(3, H5T_STR_NULLPAD);
            case 11: return text(8, H5T_STR_SPACEPAD);
            case 12: return text(std::size_t{1} << 28, H5T_STR_NULLPAD);
            case 13: return Type(H5Tcreate(H5T_OPAQUE, 24));
            case 14: return Type(H5Tenum_create(H5T_STD_I64LE));
            case 15: return Type(H5Tvlen_create(H5T_IEEE_F64LE));
            case 16: {
                const hsize_t length = 4;
                return Type(H5Tarray_create2(H5T_IEEE_F64LE, 1, &length));
            }
            default: return odd_row();
        }
    }

    /// A compound with a column of the run's tables, of some type.
    Type odd_row() {
        static constexpr std::array names{"host", "tiles_done", "busy_seconds", "name", "seconds"};
        Type row(H5Tcreate(H5T_COMPOUND, 300));
        const std::array<Type, 4> types{text(64, H5T_STR_NULLPAD), Type(H5Tcopy(H5T_IEEE_F32LE)),
                                        Type(H5Tcopy(H5T_STD_I8LE)),
                                        text(H5T_VARIABLE, H5T_STR_NULLTERM)};
        for (std::size_t at = 0; at < 200; at += 80)
            H5Tinsert(row.get(), script_.one_of(names), at, types[script_.below(4)].get());
        return row;
    }

    std::vector<hsize_t> odd_shape() {
        static constexpr std::array<hsize_t, 14> lengths{
            0, 1, 2, 3, 4, 5, 6, 8, 10, 400, 200000, 1 << 28, 1ull << 40, 1ull << 60};
        std::vector<hsize_t> shape(script_.below(4));
        for (hsize_t& length : shape) length = script_.one_of(lengths);
        return shape;
    }

    static Space space_of(const std::vector<hsize_t>& shape, bool none) {
        if (none) return Space(H5Screate(H5S_NULL));
        if (shape.empty()) return Space(H5Screate(H5S_SCALAR));
        return Space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
    }

    /// Contiguous, in chunks, within the header, or in another file; behind some filters.
    Properties odd_storage(const std::vector<hsize_t>& shape) {
        Properties creation(H5Pcreate(H5P_DATASET_CREATE));
        const std::size_t kind = script_.below(6);
        if (kind == 1) H5Pset_layout(creation.get(), H5D_COMPACT);
        if (kind == 2) H5Pset_external(creation.get(), "/etc/passwd", 0, H5F_UNLIMITED);
        if (kind < 3 || shape.empty()) return creation;
        std::vector<hsize_t> chunk;
        for (const hsize_t length : shape) chunk.push_back(std::clamp<hsize_t>(length, 1, 16));
        H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
        for (int filters = static_cast<int>(script_.below(4)); filters > 0; --filters)
            switch (script_.below(3)) {
                case 0: H5Pset_deflate(creation.get(), 9); break;
                case 1: H5Pset_shuffle(creation.get()); break;
                default: H5Pset_fletcher32(creation.get()); break;
            }
        return creation;
    }

    /// Values for a few elements, which look like text too; the library's where there are pointers.
    std::vector<double> some_values(hid_t type, const Space& space) {
        const hssize_t count = H5Sget_simple_extent_npoints(space.get());
        const std::size_t size = H5Tget_size(type);
        if (count <= 0 || count > 1000 || size > 400 || has_pointers(type)) return {};
        return std::vector<double>(static_cast<std::size_t>(count) * size / 8 + 1, odd_real());
    }

    void new_dataset(const std::string& path) {
        const auto shape = odd_shape();
        const Space space = space_of(shape, script_.below(16) == 1);
        const Type type = odd_type();
        const Properties creation = odd_storage(shape);
        H5Ldelete(file_.get(), path.c_str(), H5P_DEFAULT);
        const Object made(H5Dcreate2(file_.get(), path.c_str(), type.get(), space.get(),
                                     H5P_DEFAULT, creation.get(), H5P_DEFAULT));
        const auto values = some_values(type.get(), space);
        if (made.get() >= 0 && !values.empty() && H5Pget_external_count(creation.get()) == 0)
            H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }

    void new_attribute(const std::string& path) {
        const Object node(H5Oopen(file_.get(), path.c_str(), H5P_DEFAULT));
        const int count = H5Aget_num_attrs(node.get());
        if (count <= 0) return;
        std::array<char, 64> name{};
        H5Aget_name_by_idx(node.get(), ".", H5_INDEX_NAME, H5_ITER_INC,
                           script_.below(static_cast<std::size_t>(count)), name.data(), name.size(),
                           H5P_DEFAULT);
        H5Adelete(node.get(), name.data());
        const std::size_t kind = script_.below(8);
        if (kind == 0) return;
        const Space space = space_of(kind < 5 ? std::vector<hsize_t>{} : odd_shape(), kind == 1);
        const Type type = kind < 4 ? Type(H5Tcopy(H5T_IEEE_F64LE)) : odd_type();
        const io::h5::AttributeHandle made(
            H5Acreate2(node.get(), name.data(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
        const auto values = some_values(type.get(), space);
        if (made.get() >= 0 && !values.empty()) H5Awrite(made.get(), type.get(), values.data());
    }

    Script& script_;
    io::h5::FileHandle file_;
    std::vector<std::string> nodes_;
};

/// The image after as many changes as the script has, at most four.
inline std::string mutated(const std::string& image, Script& script) {
    MutableFile file(image, script);
    for (int i = 0; i < 4 && !script.ended(); ++i) file.change();
    return file.bytes();
}

}  // namespace tessera::fuzz

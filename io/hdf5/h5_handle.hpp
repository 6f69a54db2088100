// HDF5 identifiers that close themselves.
#pragma once

#include <hdf5.h>

#include <utility>

namespace tessera::io::h5 {

/// Owns an identifier. Close is the HDF5 function that releases identifiers of its kind.
template <herr_t (*Close)(hid_t)>
class Handle {
  public:
    Handle() = default;
    explicit Handle(hid_t id) : id_(id) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        if (id_ >= 0) Close(id_);
    }

    hid_t get() const { return id_; }

    /// Closes the handle now and returns HDF5's result, for files.
    herr_t close() { return id_ >= 0 ? Close(std::exchange(id_, H5I_INVALID_HID)) : 0; }

  private:
    hid_t id_ = H5I_INVALID_HID;
};

using FileHandle = Handle<&H5Fclose>;
using ObjectHandle = Handle<&H5Oclose>;  ///< groups and datasets
using AttributeHandle = Handle<&H5Aclose>;
using SpaceHandle = Handle<&H5Sclose>;
using TypeHandle = Handle<&H5Tclose>;
using PropertyHandle = Handle<&H5Pclose>;

}  // namespace tessera::io::h5

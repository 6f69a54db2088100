// Texts of variable length in an HDF5 file: a dataset or an attribute holds references to heaps
// where they lie.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>

namespace tessera::io::h5 {

/// What the references say, before HDF5 follows them. It makes room for as many bytes as a
/// reference gives its text, and fills it with as many as the heap does; and a thousand references
/// may be to the same text.
class TextReferences {
  public:
    /// Of the `count` texts of a dataset or an attribute. `read` fills a buffer of the memory type
    /// it is given.
    TextReferences(hid_t holder, std::uint64_t count,
                   const std::function<herr_t(hid_t type, void* into)>& read);

    /// Whether each text is as long in its heap as its reference says.
    bool are_sound() const { return sound_; }
    /// Of all texts.
    std::uint64_t bytes() const { return bytes_; }

  private:
    bool sound_ = false;
    std::uint64_t bytes_ = 0;
};

}  // namespace tessera::io::h5

// Texts of variable length in an HDF5 file. A dataset or an attribute holds references to heaps,
// and the heaps hold the texts.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>

namespace tessera::io::h5 {

/// The references of a dataset or an attribute, examined before HDF5 follows them. HDF5 allocates
/// as many bytes as a reference claims, but copies as many as the heap holds. A thousand references
/// may also share one text.
class TextReferences {
  public:
    /// Reads the references of `count` texts. `read` fills a buffer of the given memory type.
    TextReferences(hid_t holder, std::uint64_t count,
                   const std::function<herr_t(hid_t type, void* into)>& read);

    /// Whether each text is as long in its heap as its reference says.
    bool are_sound() const { return sound_; }
    /// The lengths of all texts, added up.
    std::uint64_t bytes() const { return bytes_; }

  private:
    bool sound_ = false;
    std::uint64_t bytes_ = 0;
};

}  // namespace tessera::io::h5

#include "io/hdf5/h5_text_references.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "io/hdf5/h5_handle.hpp"

namespace tessera::io::h5 {

namespace {

/// A reference in a file whose addresses have eight bytes, little-endian.
struct Reference {
    std::uint32_t length;
    std::uint32_t address[2];
    std::uint32_t index;

    std::uint64_t heap() const {
        std::uint64_t value = 0;
        std::memcpy(&value, address, sizeof(value));
        return value;
    }
};
static_assert(sizeof(Reference) == 16);

/// A conversion that does nothing. With it HDF5 returns references as bytes, not the texts.
herr_t leave_as_it_is(hid_t from, hid_t to, H5T_cdata_t* conversion, std::size_t, std::size_t,
                      std::size_t, void*, void*, hid_t) {
    if (conversion->command != H5T_CONV_INIT) return 0;
    conversion->need_bkg = H5T_BKG_NO;
    const bool fits = H5Tget_class(from) == H5T_STRING && H5Tget_size(from) == sizeof(Reference) &&
                      H5Tget_size(to) == sizeof(Reference);
    return fits ? 0 : -1;
}

TypeHandle reference_type() {
    TypeHandle type(H5Tcreate(H5T_OPAQUE, sizeof(Reference)));
    H5Tset_tag(type.get(), "reference to a text");
    return type;
}

void register_conversion() {
    static const bool done = [] {
        const TypeHandle text(H5Tcopy(H5T_C_S1)), reference = reference_type();
        H5Tset_size(text.get(), H5T_VARIABLE);
        return H5Tregister(H5T_PERS_SOFT, "references to texts", text.get(), reference.get(),
                           leave_as_it_is) >= 0;
    }();
    static_cast<void>(done);
}

/// The heaps of a file, read without HDF5 (HDF5 file format specification, III.E: global heap).
class Heaps {
  public:
    explicit Heaps(hid_t holder) {
        const FileHandle file(H5Iget_file_id(holder));
        const PropertyHandle creation(H5Fget_create_plist(file.get()));
        std::size_t address_bytes = 0, length_bytes = 0;
        void* descriptor = nullptr;
        if (H5Pget_sizes(creation.get(), &address_bytes, &length_bytes) >= 0 &&
            address_bytes == 8 && length_bytes == 8 &&
            H5Pget_userblock(creation.get(), &base_) >= 0 &&
            H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &descriptor) >= 0)
            file_ = *static_cast<const int*>(descriptor);
    }

    /// Whether the heap has this text, with exactly this length.
    bool holds(const Reference& text) {
        const auto [place, is_new] = lengths_.try_emplace(text.heap());
        if (is_new) place->second = read(text.heap());
        const auto found = place->second.find(text.index);
        return found != place->second.end() && found->second == text.length;
    }

  private:
    using Lengths = std::map<std::uint32_t, std::uint64_t>;

    /// Bytes around the place of the last reading, since a heap has many small texts.
    struct Block {
        std::uint64_t begin = 0;
        std::vector<char> bytes;
    };

    template <class T>
    bool read_at(std::uint64_t place, T& value, Block& block) const {
        constexpr std::size_t size = 4096;  // most heaps have as many bytes
        if (file_ < 0) return false;
        if (place < block.begin || place - block.begin + sizeof(value) > block.bytes.size()) {
            block = {place, std::vector<char>(size)};
            const ssize_t count =
                ::pread(file_, block.bytes.data(), size, static_cast<off_t>(base_ + place));
            block.bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
            if (block.bytes.size() < sizeof(value)) return false;
        }
        std::memcpy(&value, block.bytes.data() + (place - block.begin), sizeof(value));
        return true;
    }

    /// The lengths of the texts in the heap at this address, by number. Nothing if the heap is
    /// damaged anywhere: HDF5 walks through all of it, and may walk for ever.
    Lengths read(std::uint64_t address) const {
        struct Head {
            char name[4];
            std::uint8_t version, reserved[3];
            std::uint64_t size;
        } head;
        struct Item {
            std::uint16_t index, users;
            std::uint32_t reserved;
            std::uint64_t length;
        } item;
        Lengths lengths;
        Block block;
        if (!read_at(address, head, block) || std::memcmp(head.name, "GCOL", 4) != 0)
            return lengths;
        for (std::uint64_t at = sizeof(head), step = 0;
             at <= head.size && head.size - at >= sizeof(item); at += step) {
            if (!read_at(address + at, item, block) || item.length > head.size - at) return {};
            const bool is_room = item.index == 0;  // its length includes its header
            step = is_room ? item.length : sizeof(item) + (item.length + 7) / 8 * 8;
            if (step < sizeof(item)) return {};
            if (!is_room && !lengths.emplace(item.index, item.length).second) return {};
        }
        return lengths;
    }

    int file_ = -1;
    hsize_t base_ = 0;
    std::map<std::uint64_t, Lengths> lengths_;  ///< by the addresses of heaps
};

}  // namespace

TextReferences::TextReferences(hid_t holder, std::uint64_t count,
                               const std::function<herr_t(hid_t type, void* into)>& read) {
    register_conversion();
    const TypeHandle type = reference_type();
    std::vector<Reference> references(count);
    if (read(type.get(), references.data()) < 0) return;
    Heaps heaps(holder);
    sound_ = std::ranges::all_of(references, [&](const Reference& text) {
        bytes_ += text.length;
        return text.heap() == 0 || heaps.holds(text);  // 0: an empty text has no heap
    });
}

}  // namespace tessera::io::h5

#include "io/files/gunzip.hpp"

#include <zlib.h>

#include <algorithm>

namespace tessera::io {

namespace {

constexpr std::size_t piece = std::size_t{1} << 20;

// gzip packs up to 1032:1, but texts of other programs only up to about 20:1. Text that unpacks to
// more than 100:1 is accepted only if it is small or the user has unpacked it.
constexpr std::size_t most_ratio = 100, always_allowed = std::size_t{16} << 20;

std::size_t most_unpacked(std::size_t packed, const InputKind& kind) {
    return std::min(kind.most_bytes, std::max(always_allowed, most_ratio * packed));
}

/// The size that a gzip file gives in its last four bytes (modulo 2^32): a first guess.
std::size_t unpacked_size(std::string_view packed) {
    std::size_t size = 0;
    for (std::size_t i = 1; i <= 4 && i <= packed.size(); ++i)
        size = size << 8 | static_cast<unsigned char>(packed[packed.size() - i]);
    return size;
}

class Inflater {
  public:
    Inflater(std::string_view packed, const NamedInput& name) : left_(packed), name_(name) {
        if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    /// Fills `into` as far as the data goes and returns the number of bytes.
    std::size_t fill(char* into, std::size_t room) {
        std::size_t filled = 0;
        while (filled < room && !ended_) filled += step(into + filled, room - filled);
        return filled;
    }

  private:
    std::size_t step(char* into, std::size_t room) {
        const std::size_t given = std::min(piece, left_.size());  // zlib counts in 32 bits
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left_.data()));
        stream_.avail_in = static_cast<uInt>(given);
        stream_.next_out = reinterpret_cast<Bytef*>(into);
        stream_.avail_out = static_cast<uInt>(room);
        const int result = inflate(&stream_, Z_NO_FLUSH);
        left_.remove_prefix(given - stream_.avail_in);
        if (result == Z_STREAM_END) {
            // Another member may follow (bgzip, cat a.gz b.gz). Anything else is padding.
            ended_ = !is_gzip(left_);
            inflateReset(&stream_);
        } else if (result == Z_BUF_ERROR) {
            name_.refuse("the gzip file is truncated", "copy it again");
        } else if (result != Z_OK) {
            name_.refuse("the gzip data is damaged", "copy it again");
        }
        return room - stream_.avail_out;
    }

    z_stream stream_{};
    std::string_view left_;
    const NamedInput& name_;
    bool ended_ = false;
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.size() > 2 && bytes.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view packed, const NamedInput& name,
                   const std::function<void(std::string_view)>& look) {
    const std::size_t most = most_unpacked(packed.size(), name.kind);
    Inflater inflater(packed, name);
    std::string text;
    text.reserve(std::min(unpacked_size(packed), most) + piece);
    for (std::size_t before = 0; before == text.size(); before += piece) {
        name.stop_if_asked();
        text.resize(before + piece);
        text.resize(before + inflater.fill(text.data() + before, piece));
        if (before == 0) look(text);
        if (text.size() <= most) continue;
        if (most == name.kind.most_bytes)
            name.refuse("more than " + in_units(most) + " when unpacked", name.kind.when_larger);
        name.refuse("it unpacks to more than a hundred times its size",
                    "unpack it yourself if this is correct");
    }
    return text;
}

}  // namespace tessera::io

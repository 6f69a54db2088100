#include "io/pictures/png_writer.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string_view>

#include "io/files/input_file.hpp"
#include "io/files/whole_file.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
constexpr std::string_view software{"Software\0tessera", 16};

std::string big_endian(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(static_cast<unsigned char>(value >> shift));
    return bytes;
}

std::string chunk(std::string_view kind, std::string_view data) {
    const std::string checked = std::string(kind).append(data);
    const uLong sum =
        crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()));
    return big_endian(static_cast<std::uint32_t>(data.size())) + checked +
           big_endian(static_cast<std::uint32_t>(sum));
}

int paeth(int left, int above, int corner) {
    const int guess = left + above - corner;
    const int to_left = std::abs(guess - left), to_above = std::abs(guess - above),
              to_corner = std::abs(guess - corner);
    if (to_left <= to_above && to_left <= to_corner) return left;
    return to_above <= to_corner ? above : corner;
}

/// The rows with the filter of Paeth (ISO/IEC 15948, section 9.4), which shades pack well with.
std::string filtered_rows(const Picture& picture, std::size_t channels) {
    constexpr char paeth_filter = 4;
    const auto width = static_cast<std::size_t>(picture.width),
               height = static_cast<std::size_t>(picture.height);
    const std::vector<Pixel> nothing(width, Pixel{});
    std::string rows;
    rows.reserve(height * (1 + width * channels));
    for (std::size_t y = 0; y < height; ++y) {
        const Pixel* row = &picture.pixels[y * width];
        const Pixel* above = y == 0 ? nothing.data() : row - width;
        rows += paeth_filter;
        for (std::size_t x = 0; x < width; ++x)
            for (std::size_t c = 0; c < channels; ++c) {
                const int left = x > 0 ? row[x - 1][c] : 0, corner = x > 0 ? above[x - 1][c] : 0;
                rows += static_cast<char>(
                    static_cast<unsigned char>(row[x][c] - paeth(left, above[x][c], corner)));
            }
    }
    return rows;
}

std::string packed(const std::string& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string result(size, '\0');
    if (compress(reinterpret_cast<Bytef*>(result.data()), &size,
                 reinterpret_cast<const Bytef*>(bytes.data()),
                 static_cast<uLong>(bytes.size())) != Z_OK)
        throw std::bad_alloc();
    result.resize(size);
    return result;
}

}  // namespace

void write_png(const std::string& path, const Picture& picture, const std::string& title) {
    constexpr char eight_bits = 8, color = 2, color_and_opacity = 6;
    constexpr std::uint32_t dots_a_metre = 11811;  // 300 dots per inch
    const bool opaque =
        std::ranges::all_of(picture.pixels, [](const Pixel& pixel) { return pixel[3] == 255; });
    const std::string header = big_endian(static_cast<std::uint32_t>(picture.width)) +
                               big_endian(static_cast<std::uint32_t>(picture.height)) + eight_bits +
                               (opaque ? color : color_and_opacity) + std::string(3, '\0');
    WholeFile file(path);
    file.write(signature);
    file.write(chunk("IHDR", header));
    file.write(chunk("tEXt", software));
    file.write(chunk("tEXt", std::string("Title\0", 6) + one_line(title)));
    file.write(chunk("pHYs", big_endian(dots_a_metre) + big_endian(dots_a_metre) + '\1'));
    file.write(chunk("IDAT", packed(filtered_rows(picture, opaque ? 3 : 4))));
    file.write(chunk("IEND", ""));
    file.commit();
}

bool is_png_export(const std::string& path) {
    constexpr std::size_t after_header = 8 + 25 + 4;
    const std::string beginning = beginning_of(path);
    return beginning.starts_with(signature) &&
           beginning.find(std::string("tEXt").append(software)) == after_header;
}

}  // namespace tessera::io

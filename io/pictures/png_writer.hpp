// Pictures as PNG files (ISO/IEC 15948).
#pragma once

#include <string>

#include "io/pictures/picture.hpp"

namespace tessera::io {

/// Eight bits a channel, without opacity if every pixel is opaque. The file states its title and
/// 300 dots per inch, as printers of papers ask for. The same picture always gives the same bytes.
void write_png(const std::string& path, const Picture& picture, const std::string& title);

/// Whether write_png() made a file.
bool is_png_export(const std::string& path);

}  // namespace tessera::io

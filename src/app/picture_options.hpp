// The options of pictures: tessera export OUT.h5 --render FILE.png …
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

#include "io/pictures/camera.hpp"

namespace tessera::app {

struct PictureOptions {
    std::string path;        ///< empty: no picture
    std::string surface;     ///< empty: all
    std::int64_t frame = 0;  ///< its number, from 1; 0: all
    std::string view = "tilted", size = "1600x1200", background = "white";
    std::string color;  ///< a field of the vertices; empty: by lobe
    double range = 0;   ///< the value of the darkest colour; 0: as the values need it
    double opacity = 0.6;
    bool quiet = false;  ///< say nothing

    void declare(CLI::App& command);
    /// Throws Error if the options do not fit each other.
    void check() const;
};

/// "tilted", "front", "edge", "end" or X,Y,Z. Throws Error for anything else.
io::ViewPoint parse_view(const std::string& text);

/// "WIDTHxHEIGHT" in pixels. Throws Error for anything else.
struct PictureSize {
    int width = 0, height = 0;
};
PictureSize parse_size(const std::string& text);

}  // namespace tessera::app

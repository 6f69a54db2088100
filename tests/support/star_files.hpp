// Star files that tests write.
#pragma once

#include <span>
#include <string>

#include "io/streams/star_file.hpp"

namespace tessera::test {

inline void write_star_file(const std::string& path, std::span<const io::Star> stars) {
    io::StarFileWriter file(path, std::ssize(stars));
    file.add(stars);
    file.commit();
}

}  // namespace tessera::test

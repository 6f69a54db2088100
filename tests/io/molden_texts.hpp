// Molden texts of water, and how they are read.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/wavefunctions/molden_reader.hpp"
#include "support/message_of.hpp"

namespace tessera::test::molden {

using test::expect_part;

inline const std::string atoms = "[Atoms] (AU)\n O 1 8 0.0 0.0 0.25\n H 2 1 0.0 1.5 -0.5\n";
inline const std::string basis =
    "[GTO]\n 1 0\n s 2 1.00\n 10.0 0.4\n 2.0 0.7\n d 1 1.00\n 0.9 1.0\n\n"
    " 2 0\n s 1 1.00\n 0.5 1.0\n\n";

// An orbital that lists coefficients 1..count as index / 10.
inline std::string
orbital(int count, const std::string& head = " Sym= A\n Ene= -0.5\n Spin= Alpha\n Occup= 2.0\n") {
    std::string text = head;
    for (int k = 1; k <= count; ++k)
        text += " " + std::to_string(k) + " " + std::to_string(k) + ".0E-1\n";
    return text;
}

inline std::vector<io::Wavefunction> frames_of(const std::string& text) {
    const io::TextSource source{"in.molden", text};
    EXPECT_TRUE(io::is_molden(source));
    return io::read_molden(source);
}

inline io::Wavefunction read(const std::string& text) { return frames_of(text).at(0); }

inline std::string water(const std::string& tags = "", int functions = 8) {
    return "[Molden Format]\n" + atoms + basis + tags + "[MO]\n" + orbital(functions) +
           orbital(functions);
}

inline std::string after_atoms(const std::string& section) {
    return "[Molden Format]\n" + atoms + section + basis + "[MO]\n" + orbital(8) + orbital(8);
}

}  // namespace tessera::test::molden

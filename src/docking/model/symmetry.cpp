#include "docking/model/symmetry.hpp"

#include <charconv>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

constexpr int most_copies = 24, most_dihedral = 12;

}  // namespace

Symmetry parse_symmetry(const std::string& text, const Symmetry& others) {
    Symmetry symmetry = others;
    symmetry.copies = 0;
    symmetry.dihedral = false;
    if (text.empty()) return symmetry;
    const auto refuse = [&](const char* why) {
        throw Error("--symmetry '" + io::one_line(text, 40) + "' cannot be docked", why,
                    "give C2, C3, ... C24, or D2, D3, ... D12");
    };
    const char kind = text.front();
    symmetry.dihedral = kind == 'D' || kind == 'd';
    const auto [stop, error] =
        std::from_chars(text.data() + 1, text.data() + text.size(), symmetry.copies);
    if ((kind != 'C' && kind != 'c' && !symmetry.dihedral) || error != std::errc() ||
        stop != text.data() + text.size())
        refuse("it names no ring and no dihedral assembly");
    if (symmetry.copies < 2 || symmetry.copies > most_copies)
        refuse("a ring has from 2 to 24 copies");
    if (symmetry.dihedral && symmetry.copies > most_dihedral)
        refuse("a dihedral assembly has two rings of 2 to 12 copies");
    return symmetry;
}

std::string name_of(const Symmetry& symmetry) {
    return (symmetry.dihedral ? "D" : "C") + std::to_string(symmetry.copies);
}

}  // namespace tessera::docking

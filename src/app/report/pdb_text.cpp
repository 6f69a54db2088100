#include "app/report/pdb_text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>

namespace tessera::app {

namespace {

/// The letter of a chain whose name is longer than a PDB file can hold.
char letter_of(const std::string& chain, std::map<std::string, std::size_t>& known) {
    constexpr std::string_view letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    if (chain.size() <= 1) return chain.empty() ? ' ' : chain[0];
    const std::size_t number = known.try_emplace(chain, known.size()).first->second;
    return letters[number % letters.size()];
}

}  // namespace

std::string pdb_text(const io::Structure& structure, const std::vector<double>& values) {
    std::map<std::string, std::size_t> long_chains;
    std::string text;
    std::size_t serial = 0;
    for (const io::AtomRecord& atom : structure.atoms) {
        // One-letter elements begin one column later, so that CA is a carbon.
        const std::string name =
            (atom.element.size() < 2 && atom.name.size() < 4 ? " " : "") + atom.name;
        const Vec3 at = atom.position;
        text += fmt::format(
            "{:<6}{:>5} {:<4.4} {:>3.3} {}{:>4}{}   {:8.3f}{:8.3f}{:8.3f}  1.00{:6.2f}{:>12.2}\n",
            atom.hetero ? "HETATM" : "ATOM", ++serial % 100000, name, atom.residue,
            letter_of(atom.chain, long_chains), atom.residue_number % 10000, atom.insertion_code,
            at.x, at.y, at.z, values[static_cast<std::size_t>(atom.residue_index)], atom.element);
    }
    return text + "END\n";
}

}  // namespace tessera::app

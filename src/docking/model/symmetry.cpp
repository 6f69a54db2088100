#include "docking/model/symmetry.hpp"

#include <charconv>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

constexpr int most_copies = 24;

}  // namespace

int parse_copies(const std::string& text) {
    if (text.empty()) return 0;
    const auto refuse = [&](const char* why) {
        throw Error("--symmetry '" + io::one_line(text, 40) + "' cannot be docked", why,
                    "give C2, C3, ... or C24");
    };
    if (text.front() == 'D' || text.front() == 'd')
        refuse("the search turns copies about one axis, and a dihedral complex has more");
    int copies = 0;
    const auto [stop, error] = std::from_chars(text.data() + 1, text.data() + text.size(), copies);
    if ((text.front() != 'C' && text.front() != 'c') || error != std::errc() ||
        stop != text.data() + text.size())
        refuse("it names no ring of copies");
    if (copies < 2 || copies > most_copies) refuse("a ring has from 2 to 24 copies");
    return copies;
}

std::string name_of(const Symmetry& symmetry) { return "C" + std::to_string(symmetry.copies); }

}  // namespace tessera::docking

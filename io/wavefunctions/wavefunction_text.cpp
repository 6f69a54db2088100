#include "io/wavefunctions/wavefunction_text.hpp"

#include <string_view>

#include "io/text/text_file.hpp"

namespace tessera::io {

namespace {

// The limit exceeds any basis of today: 30,000 functions with all orbitals take 25 GB.
constexpr std::size_t most_bytes = std::size_t{64} << 30;

/// What to do about a file that is not a text.
std::string advice_for(const std::string& path) {
    constexpr std::string_view of_orca = ".gbw";
    if (!path.ends_with(of_orca))
        return "give a Molden or formatted checkpoint file (formchk converts a .chk file)";
    return "ORCA itself converts it to Molden: orca_2mkl " +
           path.substr(0, path.size() - of_orca.size()) + " -molden";
}

}  // namespace

TextSource read_wavefunction_text(const std::string& path) {
    const std::string advice = advice_for(path);
    return read_text_file(
        path, {"wavefunction", advice.c_str(), most_bytes, "leave out virtual orbitals"});
}

}  // namespace tessera::io

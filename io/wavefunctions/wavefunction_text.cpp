#include "io/wavefunctions/wavefunction_text.hpp"

#include "io/text/text_file.hpp"

namespace tessera::io {

namespace {

// The limit exceeds any basis of today: 30,000 functions with all orbitals take 25 GB.
constexpr std::size_t most_bytes = std::size_t{64} << 30;

}  // namespace

TextSource read_wavefunction_text(const std::string& path) {
    return read_text_file(
        path, {"wavefunction",
               "give a Molden or formatted checkpoint file (formchk converts a .chk file)",
               most_bytes, "leave out virtual orbitals"});
}

}  // namespace tessera::io

#include "io/wavefunction_text.hpp"

#include "io/text_file.hpp"

namespace tessera::io {

TextSource read_wavefunction_text(const std::string& path) {
    return read_text_file(
        path,
        {"wavefunction", "give a Molden or formatted checkpoint file (formchk makes it of a .chk)",
         "leave out virtual orbitals"});
}

}  // namespace tessera::io

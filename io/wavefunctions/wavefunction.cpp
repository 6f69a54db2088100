#include "io/wavefunctions/wavefunction.hpp"

#include <string_view>

#include "io/files/input_file.hpp"
#include "io/text/one_line.hpp"
#include "io/wavefunctions/fchk_reader.hpp"
#include "io/wavefunctions/json_reader.hpp"
#include "io/wavefunctions/molden_reader.hpp"
#include "io/wavefunctions/trexio_reader.hpp"
#include "io/wavefunctions/wavefunction_text.hpp"
#include "io/wavefunctions/wfn_reader.hpp"
#include "io/wavefunctions/wfx_reader.hpp"

namespace tessera::io {
namespace {

constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";

// Describes the file so that users see what they have given.
std::string guess(const TextSource& source) {
    TextScanner scanner(source);
    scanner.skip_empty_lines();
    const std::string first = one_line(scanner.rest_of_line(), 40);
    return "neither Molden nor formatted checkpoint nor WFX nor WFN nor JSON; it starts with '" +
           first + "'";
}

}  // namespace

std::vector<Wavefunction> parse_wavefunctions(const TextSource& source,
                                              const WantedMatrices& wanted) {
    if (is_molden(source)) return read_molden(source);
    std::vector<Wavefunction> frames;
    if (is_fchk(source))
        frames.push_back(read_fchk(source, wanted));
    else if (is_wfx(source))
        frames.push_back(read_wfx(source));
    else if (is_wfn(source))
        frames.push_back(read_wfn(source));
    else if (is_json(source))
        frames.push_back(read_json(source));
    if (!frames.empty()) return frames;
    throw Error("cannot read wavefunction '" + source.path + "'", guess(source),
                "convert it to Molden, for example by cclib: ccwrite molden FILE");
}

std::vector<Wavefunction> read_wavefunctions(const std::string& path,
                                             const WantedMatrices& wanted) {
    if (is_trexio_folder(path) || beginning_of(path, hdf5_signature.size()) == hdf5_signature)
        return {read_trexio(path, wanted)};
    const TextSource source = read_wavefunction_text(path);
    std::vector<Wavefunction> frames = parse_wavefunctions(source, wanted);
    for (Wavefunction& frame : frames) frame.sha256 = source.sha256;
    return frames;
}

}  // namespace tessera::io

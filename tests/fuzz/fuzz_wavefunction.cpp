// libFuzzer entry: any bytes are a wavefunction that keeps its promises, or one line of an Error.
// FUZZ_READER chooses the door: read_molden, read_fchk, read_wfx, read_wfn, read_json and
// read_trexio (all groups in one text) take the text; read_file goes through a file (gzip, format).
// For read_trexio_hdf5 the bytes are a script of changes to a file of TREXIO.
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "fuzz.hpp"
#include "io/wavefunctions/cartesian_order.hpp"
#include "io/wavefunctions/fchk_reader.hpp"
#include "io/wavefunctions/json_reader.hpp"
#include "io/wavefunctions/molden_reader.hpp"
#include "io/wavefunctions/trexio_density.hpp"
#include "io/wavefunctions/trexio_reader.hpp"
#include "io/wavefunctions/wfn_reader.hpp"
#include "io/wavefunctions/wfx_reader.hpp"
#include "mutate_result.hpp"
#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/basis/periodic_images.hpp"

namespace {

using tessera::fuzz::require;
using tessera::io::Wavefunction;

[[maybe_unused]] std::vector<Wavefunction> read_molden(const std::string& text) {
    return tessera::io::read_molden({"in.molden", text});
}
[[maybe_unused]] std::vector<Wavefunction> read_fchk(const std::string& text) {
    const bool odd = text.size() % 2 == 1;
    return {tessera::io::read_fchk({"in.fchk", text}, {odd ? "SCF" : "", odd ? "" : "1"})};
}
[[maybe_unused]] std::vector<Wavefunction> read_wfx(const std::string& text) {
    return {tessera::io::read_wfx({"in.wfx", text})};
}
[[maybe_unused]] std::vector<Wavefunction> read_wfn(const std::string& text) {
    return {tessera::io::read_wfn({"in.wfn", text})};
}
[[maybe_unused]] std::vector<Wavefunction> read_json(const std::string& text) {
    return {tessera::io::read_json({"in.json", text})};
}
[[maybe_unused]] std::vector<Wavefunction> read_trexio(const std::string& text) {
    tessera::io::TrexioValues values;
    tessera::io::read_trexio_text({"in.trexio", text}, values);
    Wavefunction frame = tessera::io::trexio_wavefunction(values, "in.trexio");
    if (text.size() % 2 == 1 && frame.basis_functions() < 1000)
        tessera::io::read_trexio_density(values, "1e", frame);
    else if (text.size() % 4 == 0)
        tessera::io::read_trexio_transition(values, "1", frame);
    return {frame};
}
#ifdef FUZZ_IMAGE
[[maybe_unused]] std::vector<Wavefunction> read_trexio_hdf5(const std::string& bytes) {
    static const tessera::fuzz::MemoryFile file;
    static const std::string image = [] {
        std::ifstream stream(FUZZ_IMAGE, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    }();
    tessera::fuzz::Script script(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return tessera::io::read_wavefunctions(file.with(tessera::fuzz::mutated(image, script)));
}
#endif
[[maybe_unused]] std::vector<Wavefunction> read_file(const std::string& bytes) {
    static const tessera::fuzz::MemoryFile file;
    return tessera::io::read_wavefunctions(file.with(bytes));
}

/// Folds the first orbital. A small cell may have so many images that memory would run out.
void fold(Wavefunction frame) {
    constexpr std::size_t most_coefficients = 1 << 20;
    const auto lattice = std::exchange(frame.lattice, {});
    tessera::kernels::OrbitalProblem problem;
    tessera::orbitals::fold_orbitals(frame, {0}, problem);
    if (!lattice) return;
    const auto size = tessera::orbitals::size_with_images(*lattice, problem);
    if (size.coefficients > most_coefficients) return;
    tessera::orbitals::add_images(*lattice, problem);
    require(problem.groups.size() == size.groups, "images are as many as were counted");
    require(problem.coefficients[0].size() == size.coefficients, "coefficients are, too");
}

/// What everything behind the readers relies on.
void check(const Wavefunction& frame) {
    require(!frame.nuclei.empty(), "there are nuclei");
    for (const auto& nucleus : frame.nuclei)
        require(std::isfinite(nucleus.position.x) && std::isfinite(nucleus.position.y) &&
                    std::isfinite(nucleus.position.z),
                "positions are numbers");
    for (const auto& nucleus : frame.nuclei)
        require(nucleus.core >= 0 && nucleus.core <= nucleus.charge,
                "a core is part of its nuclear charge");
    for (const auto& shell : frame.shells) {
        require(shell.atom >= 0 && static_cast<std::size_t>(shell.atom) < frame.nuclei.size(),
                "shells stand on nuclei");
        require(shell.l >= 0 && shell.l <= tessera::io::highest_l, "degrees are known");
        require(!shell.exponents.empty() && shell.exponents.size() == shell.coefficients.size(),
                "primitives have both numbers");
        for (const double exponent : shell.exponents)
            require(exponent > 0 && std::isfinite(exponent), "exponents are positive");
    }
    for (const auto& orbital : frame.orbitals) {
        require(orbital.coefficients.size() == static_cast<std::size_t>(frame.basis_functions()),
                "orbitals have a coefficient a function");
        for (const double c : orbital.coefficients)
            require(std::isfinite(c), "coefficients are numbers");
    }
    if (frame.lattice) {
        for (const tessera::Vec3& v : frame.lattice->vectors)
            require(std::isfinite(dot(v, v)), "vectors of a cell are numbers");
        require(frame.lattice->volume() > 0, "a cell has a volume");
    }
    if (!frame.orbitals.empty()) fold(frame);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    tessera::fuzz::expect_line([&] {
        for (const Wavefunction& frame : FUZZ_READER(text)) check(frame);
    });
    return 0;
}

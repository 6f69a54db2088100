#include "io/wavefunctions/model_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include <gemmi/elem.hpp>

#include "io/text/one_line.hpp"

namespace tessera::io {

int atomic_number(const std::string& symbol) {
    const gemmi::El element = gemmi::find_element(symbol.c_str());
    return element == gemmi::El::D ? 1 : static_cast<int>(element);
}

namespace {

/// "CA" may be calcium or an alpha carbon. A charge that fits either of them is complete.
bool is_below_element(const std::string& symbol, double charge) {
    const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
    const std::string letters(symbol.begin(), std::ranges::find_if_not(symbol, is_letter));
    if (letters.empty() || letters.size() > 2) return false;
    return charge < atomic_number(letters) - 0.5 &&
           std::abs(charge - atomic_number(letters.substr(0, 1))) > 0.5;
}

void warn_of_charge(Wavefunction& frame, std::size_t atom, double charge) {
    warn_of_pseudopotentials(frame, fmt::format("atom {}, {}, has the charge {:g}", atom + 1,
                                                one_line(frame.nuclei[atom].symbol, 8), charge));
}

constexpr std::string_view alone =
    "it is evaluated as one isolated molecule, without its neighbouring cells";
constexpr std::string_view summed =
    "its orbitals are taken as those of the Gamma point and summed over all cells";

bool is_ghost(double charge) { return charge < 0.5; }

}  // namespace

void warn_of_cell(Wavefunction& frame, const std::string& where) {
    frame.is_periodic = true;
    frame.warnings.push_back(fmt::format("'{}' describes a periodic system ({}): {}",
                                         one_line(frame.path), where,
                                         frame.lattice ? summed : alone));
}

void isolate(Wavefunction& frame) {
    if (!frame.lattice) return;
    frame.lattice.reset();
    for (std::string& warning : frame.warnings)
        if (warning.ends_with(summed))
            warning.replace(warning.size() - summed.size(), summed.size(), alone);
}

void warn_of_pseudopotentials(Wavefunction& frame, const std::string& where) {
    frame.warnings.push_back(
        fmt::format("'{}' was made with pseudopotentials ({}): orbitals and densities are those of "
                    "the valence electrons only, and nuclear charges those without the core",
                    one_line(frame.path), where));
}

void warn_of_core_charges(Wavefunction& frame) {
    for (std::size_t i = 0; i < frame.nuclei.size(); ++i) {
        const Nucleus& nucleus = frame.nuclei[i];
        if (!is_ghost(nucleus.charge) && is_below_element(nucleus.symbol, nucleus.charge))
            return warn_of_charge(frame, i, nucleus.charge);
    }
}

void warn_of_core_charges(Wavefunction& frame, const std::vector<double>& charges) {
    for (std::size_t i = 0; i < frame.nuclei.size() && i < charges.size(); ++i)
        if (!is_ghost(charges[i]) && charges[i] < frame.nuclei[i].charge - 0.5)
            return warn_of_charge(frame, i, charges[i]);
}

}  // namespace tessera::io

#include "io/wavefunctions/core_charges.hpp"

#include <cctype>

#include "io/wavefunctions/model_warnings.hpp"

namespace tessera::io {

std::string element_letters(const std::string& symbol) {
    std::string letters;
    for (const unsigned char c : symbol)
        if (std::isalpha(c) != 0) letters += static_cast<char>(std::tolower(c));
    return letters;
}

bool take_core(Nucleus& nucleus, double electrons, bool remain) {
    if (nucleus.charge == 0) return true;
    const double in_file = nucleus.charge;
    const int element = atomic_number(element_letters(nucleus.symbol));
    const bool is_reduced =
        element > in_file && (remain ? electrons == in_file : electrons + in_file == element);
    const double whole = is_reduced ? element : in_file;
    const double core = remain ? whole - electrons : electrons;
    if (core < 0 || core > whole) return false;
    nucleus.charge = static_cast<int>(whole);
    nucleus.core = core;
    return true;
}

void take_charges(Wavefunction& frame, const std::vector<double>& charges) {
    for (std::size_t i = 0; i < frame.nuclei.size() && i < charges.size(); ++i)
        if (charges[i] >= 0 && charges[i] < frame.nuclei[i].charge)
            frame.nuclei[i].core = frame.nuclei[i].charge - charges[i];
}

}  // namespace tessera::io

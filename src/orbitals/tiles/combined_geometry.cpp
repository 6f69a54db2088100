#include "orbitals/tiles/combined_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::orbitals {

namespace {

/// The distance to the nearest atom that may be the same, bohr; HUGE_VAL if there is none.
double distance_to(const io::Nucleus& nucleus, const std::vector<io::Nucleus>& atoms) {
    double least = HUGE_VAL;
    for (const io::Nucleus& atom : atoms) {
        if (atom.charge != nucleus.charge && atom.charge != 0 && nucleus.charge != 0) continue;
        const Vec3 d = atom.position - nucleus.position;
        least = std::min(least, std::sqrt(dot(d, d)));
    }
    return least;
}

}  // namespace

double require_same_atoms(const std::vector<CombinedFile>& files, const CombinedFile& frame,
                          const std::string& what) {
    const CombinedFile* largest = &files.front();
    const auto atoms = [](const CombinedFile& file) { return file.wavefunction->nuclei.size(); };
    for (const CombinedFile& file : files)
        if (atoms(file) > atoms(*largest)) largest = &file;
    if (files.size() > 1 && atoms(frame) > atoms(*largest)) largest = &frame;
    double displacement = 0;
    for (const CombinedFile& file : files) {
        if (file.wavefunction == largest->wavefunction) continue;
        const auto& nuclei = file.wavefunction->nuclei;
        for (std::size_t i = 0; i < nuclei.size(); ++i) {
            const double distance = distance_to(nuclei[i], largest->wavefunction->nuclei);
            displacement = std::max(displacement, distance);
            if (distance <= same_atom_distance) continue;
            const std::string symbol = io::one_line(nuclei[i].symbol, 4);
            throw Error(
                fmt::format("{}: {} has another geometry than {}", what, file.name, largest->name),
                distance == HUGE_VAL
                    ? fmt::format("its atom {}, {}, is not among them", i + 1, symbol)
                    : fmt::format("its atom {}, {}, is {:.4g} bohr from the nearest {}", i + 1,
                                  symbol, distance, symbol),
                "use files of one geometry, or add --different-geometries");
        }
    }
    return displacement;
}

void require_same_cells(const std::vector<CombinedFile>& files, const std::string& what) {
    for (const CombinedFile& file : files)
        if (file.wavefunction->lattice != files.front().wavefunction->lattice)
            throw Error(
                fmt::format("{}: {} has another cell than {}", what, file.name, files.front().name),
                "orbitals are sums over the cells of one system", "use files of one cell");
}

}  // namespace tessera::orbitals

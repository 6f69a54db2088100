// Values against PySCF's, at the points of the reference archives: those of
// ../shared/data/orbitals, and those beside this file (references/make_references.py: open shells,
// orbitals that vanish on a plane; references/formats: other formats than Molden;
// references/periodic: sums over all cells).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "folded_value.hpp"
#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/basis/overlap.hpp"
#include "support/npz.hpp"

namespace {

using tessera::Vec3;
using tessera::io::Wavefunction;
using tessera::test::folded_value;

std::filesystem::path shared_references() {
    const char* const given = std::getenv("TESSERA_SHARED_DIR");
    const std::filesystem::path shared = given ? given : TESSERA_SOURCE_DIR "/../shared";
    return shared / "data" / "orbitals";
}

std::filesystem::path own_references() { return TESSERA_SOURCE_DIR "/tests/orbitals/references"; }

std::filesystem::path formats() { return own_references() / "formats"; }

std::filesystem::path periodic() { return own_references() / "periodic"; }

/// A box around points x, y, z, in which periodic orbitals need their images.
tessera::UniformGrid around(const std::vector<double>& points) {
    Vec3 low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
    for (std::size_t i = 0; i < points.size(); i += 3) {
        low = {std::min(low.x, points[i]), std::min(low.y, points[i + 1]),
               std::min(low.z, points[i + 2])};
        high = {std::max(high.x, points[i]), std::max(high.y, points[i + 1]),
                std::max(high.z, points[i + 2])};
    }
    return {low, high - low, {2, 2, 2}};
}

struct GridReference {
    std::filesystem::path (*folder)();
    const char* file;
    const char* npz;
    std::size_t frame;
};

void PrintTo(const GridReference& reference, std::ostream* stream) { *stream << reference.npz; }

class OrbitalReferences : public testing::TestWithParam<GridReference> {};

TEST_P(OrbitalReferences, ValuesAgreeToRounding) {
    const auto folder = GetParam().folder();
    if (GetParam().folder == shared_references && !std::filesystem::exists(folder / GetParam().npz))
        GTEST_SKIP() << "reference data missing: " << (folder / GetParam().npz);
    const std::vector<Wavefunction> frames =
        tessera::io::read_wavefunctions((folder / GetParam().file).string());
    const Wavefunction& frame = frames.at(GetParam().frame);
    const tessera::test::Npz archive((folder / GetParam().npz).string());
    const auto points = archive["points_bohr"], values = archive["psi_points"];
    const auto index = archive["orbital_index_0based"], energies = archive["energies"];
    std::vector<int> chosen(index.values.begin(), index.values.end());
    tessera::kernels::OrbitalProblem problem;
    problem.grid = around(points.values);
    problem.tolerance = 0;
    tessera::orbitals::fold_orbitals(frame, chosen, problem);
    const std::size_t orbitals = chosen.size();
    for (std::size_t o = 0; o < orbitals; ++o) {
        double largest = 0, worst = 0;
        for (std::size_t i = 0; i < points.shape[0]; ++i) {
            const Vec3 r{points.values[3 * i], points.values[3 * i + 1], points.values[3 * i + 2]};
            const double expected = values.values[i * orbitals + o];
            largest = std::max(largest, std::abs(expected));
            worst = std::max(worst, std::abs(folded_value(problem, o, r) - expected));
        }
        EXPECT_GT(largest, 1e-3);
        EXPECT_LE(worst, 1e-12 * largest) << "orbital " << chosen[o];
        EXPECT_NEAR(frame.orbitals[static_cast<std::size_t>(chosen[o])].energy, energies.values[o],
                    1e-7);
    }
    // PySCF's own orbitals of C60 are orthonormal to 7e-9.
    EXPECT_LT(tessera::orbitals::worst_norm_error(frame, chosen), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(
    Files, OrbitalReferences,
    testing::Values(
        GridReference{shared_references, "h2o_ccpvqz_cart.molden.gz", "h2o_ccpvqz_cart.npz", 0},
        GridReference{shared_references, "h2o_ccpvqz_sph.molden.gz", "h2o_ccpvqz_sph.npz", 0},
        GridReference{shared_references, "thr_b_631pgs_cart.molden.gz", "thr_b_631pgs_cart.npz", 0},
        GridReference{shared_references, "c60_b_631gs_cart.molden.gz", "c60_b_631gs_cart.npz", 0},
        GridReference{shared_references, "hcn_hnc_20frames.multi.molden.gz", "hcn_hnc_00.npz", 0},
        GridReference{shared_references, "hcn_hnc_20frames.multi.molden.gz", "hcn_hnc_07.npz", 7},
        GridReference{shared_references, "hcn_hnc_20frames.multi.molden.gz", "hcn_hnc_19.npz", 19},
        GridReference{own_references, "o2_uhf_sph.molden.gz", "o2_uhf_sph.npz", 0},
        GridReference{own_references, "oh_uhf_cart.molden.gz", "oh_uhf_cart.npz", 0},
        GridReference{formats, "oh_spherical.h5", "oh_spherical.npz", 0},
        GridReference{formats, "oh_spherical.trexio", "oh_spherical.npz", 0},
        GridReference{formats, "oh_cartesian.trexio", "oh_cartesian.npz", 0},
        GridReference{formats, "oh_spherical.json", "oh_spherical.npz", 0},
        GridReference{formats, "oh_cartesian.json", "oh_cartesian.npz", 0},
        GridReference{formats, "oh_spherical.orca.json", "oh_spherical.npz", 0},
        GridReference{periodic, "orthorhombic.molden.gz", "orthorhombic.npz", 0},
        GridReference{periodic, "triclinic.molden.gz", "triclinic.npz", 0},
        GridReference{periodic, "triclinic.trexio", "triclinic.npz", 0}),
    [](const auto& info) {
        std::string name = info.param.file + std::string("_") + info.param.npz;
        for (char& c : name)
            if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
        return name;
    });

}  // namespace

// Poses of real complexes, whose files lie beside the repository, against figures of DockQ.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/octahedral_group.hpp"
#include "docking/evaluation/evaluation.hpp"
#include "docking/evaluation/superposition.hpp"
#include "io/proteins/structure.hpp"

namespace {

using tessera::Quaternion;
using tessera::Vec3;
using tessera::docking::capri_class;
using tessera::docking::Evaluation;
using tessera::docking::PoseQuality;
using tessera::io::AtomRecord;
using tessera::io::Structure;

std::string complexes_folder() {
    if (const char* folder = std::getenv("TESSERA_SHARED_DATA"))
        return std::string(folder) + "/complexes/";
    return std::string(TESSERA_SOURCE_DIR) + "/../shared/data/complexes/";
}

struct KnownPose {
    const char* complex;
    Quaternion rotation;  ///< about the origin of the ligand file
    Vec3 translation;
    double ligand_rmsd, interface_rmsd, fnat, dockq, ligand_interface_ca_rmsd;
};

/// Figures of the program DockQ 2 (with --no_align: residues by number) for models written with
/// three decimals; the last column from a few lines of NumPy.
const std::array<KnownPose, 6> known_poses{{
    {"1AVX",
     {0.4926471619, -0.3875228670, 0.1692979219, 0.7605675612},
     {68.574933, -68.520206, -1.472076},
     2.2250,
     1.2981,
     36 / 54.0,
     0.7248,
     2.3224},
    {"1AVX",
     {0.3295885234, -0.2031251162, 0.4711869556, 0.7925240976},
     {-2.745993, -109.274932, 34.038182},
     9.8516,
     5.1345,
     6 / 54.0,
     0.2055,
     9.7539},
    {"1PPE",
     {0.7510736373, -0.0572958982, -0.4303189922, 0.4974245031},
     {-9.815353, 49.436006, -94.559189},
     0.5084,
     0.4649,
     60 / 70.0,
     0.9220,
     0.4486},
    {"1PPE",
     {0.5175081496, -0.0713301191, -0.8211156741, 0.2299268990},
     {61.975332, 88.080853, -29.304653},
     6.9204,
     3.2254,
     8 / 70.0,
     0.2978,
     7.1252},
    {"1JTG",
     {-0.3836257646, 0.6411147654, 0.6645293421, -0.0142787906},
     {9.168301, 91.068089, 116.296909},
     11.9447,
     4.9651,
     36 / 86.0,
     0.2795,
     10.1995},
    {"2SNI",
     {0.1860470722, 0.7201626843, -0.1776936359, -0.6443424298},
     {74.759462, 18.025946, -79.828205},
     8.9644,
     3.0836,
     41 / 68.0,
     0.4226,
     6.8657},
}};

TEST(Evaluation, UnboundComplexesAgreeWithDockQ) {
    if (!std::filesystem::exists(complexes_folder() + "1PPE"))
        GTEST_SKIP() << "no complexes in " << complexes_folder()
                     << "; set TESSERA_SHARED_DATA to the folder that holds them";
    for (const KnownPose& pose : known_poses) {
        const std::string folder = complexes_folder() + pose.complex;
        const Evaluation evaluation(tessera::io::read_structure(folder + "/receptor.pdb"),
                                    tessera::io::read_structure(folder + "/ligand_shuffled.pdb"),
                                    tessera::io::read_structure(folder + "/reference.pdb"));
        const PoseQuality q = evaluation(pose.rotation, {}, pose.translation);
        SCOPED_TRACE(std::string(pose.complex) + ": " + evaluation.matched());
        EXPECT_NEAR(q.ligand_rmsd, pose.ligand_rmsd, 2e-4);
        EXPECT_NEAR(q.interface_rmsd, pose.interface_rmsd, 2e-4);
        EXPECT_NEAR(q.fnat, pose.fnat, 1e-9);
        EXPECT_NEAR(q.dockq, pose.dockq, 2e-4);
        EXPECT_NEAR(q.ligand_interface_ca_rmsd, pose.ligand_interface_ca_rmsd, 2e-4);
    }
}

TEST(Evaluation, SeveralChainsAPartner) {
    const std::string folder = complexes_folder() + "1BD2_bound";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no complex in " << folder;
    const Structure receptor = tessera::io::read_structure(folder + "/receptor.pdb"),
                    ligand = tessera::io::read_structure(folder + "/ligand_shuffled.pdb"),
                    reference = tessera::io::read_structure(folder + "/reference.pdb");
    // Bound partners: the file of the ligand is the reference's chains D and E, moved rigidly.
    tessera::docking::PointPairs ligand_atoms;
    std::size_t i = 0;
    for (const AtomRecord& atom : reference.atoms)
        if (atom.chain == "D" || atom.chain == "E")
            ligand_atoms.add(ligand.atoms.at(i++).position, atom.position);
    const auto home = tessera::docking::superpose(ligand_atoms.model, ligand_atoms.reference);
    const Evaluation evaluation(receptor, ligand, reference);
    const PoseQuality q =
        evaluation(tessera::quaternion_of(home.rotation), {}, home.shift + Vec3{0, 0.3, 0.4});
    SCOPED_TRACE(evaluation.matched());
    EXPECT_NEAR(q.ligand_rmsd, 0.5, 2e-3);
    EXPECT_NEAR(evaluation(tessera::quaternion_of(home.rotation), {}, home.shift).fnat, 1, 0.02);
    EXPECT_EQ(capri_class(q), 3);
}

}  // namespace

// Poses of a made complex against figures of the DockQ package, and the residues that count as
// interface.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "docking/evaluation/evaluation.hpp"
#include "docking/evaluation/superposition.hpp"

namespace {

using tessera::Quaternion;
using tessera::Vec3;
using tessera::docking::Evaluation;
using tessera::docking::PointPairs;
using tessera::docking::PoseQuality;
using tessera::io::AtomRecord;
using tessera::io::Structure;

using Names = std::array<const char*, 4>;
constexpr Names receptor_names{"ALA", "SER", "THR", "VAL"},
    ligand_names{"LYS", "ASP", "PHE", "LEU"};
const std::array<std::pair<const char*, Vec3>, 5> atoms_of_a_residue{{{"N", {-1.2, 0.3, 0}},
                                                                      {"CA", {0, 0, 0}},
                                                                      {"C", {1.3, 0.6, 0}},
                                                                      {"O", {1.5, 1.8, 0}},
                                                                      {"CB", {0.1, -1.4, 0.5}}}};

/// Residues in a bent row. With `inserted` the second one is 1A, and the third one has number 2.
Structure row_of(int count, const Names& names, Vec3 at, bool inserted = false) {
    Structure structure;
    for (int i = 0; i < count; ++i)
        for (const auto& [atom, offset] : atoms_of_a_residue) {
            AtomRecord record;
            record.name = atom;
            record.residue = names[static_cast<std::size_t>(i % 4)];
            record.chain = names == receptor_names ? "A" : "B";
            record.residue_number = inserted && i > 0 ? i : i + 1;
            record.insertion_code = inserted && i == 1 ? 'A' : ' ';
            record.residue_index = i;
            record.position = at + Vec3{3.8 * i, 0.9 * i * i, 0} + offset;
            structure.atoms.push_back(record);
        }
    return structure;
}

Structure without(Structure structure, int index) {
    std::erase_if(structure.atoms,
                  [&](const AtomRecord& atom) { return atom.residue_index == index; });
    return structure;
}

Structure complex_of(const Structure& a, const Structure& b) {
    Structure both = a;
    both.atoms.insert(both.atoms.end(), b.atoms.begin(), b.atoms.end());
    return both;
}

struct DockQPose {
    Quaternion rotation;  ///< about the origin
    Vec3 translation;
    double ligand_rmsd, interface_rmsd, fnat, dockq;
};

/// Figures of DockQ 2.1.3 (with --no_align: residues by number) for PDB files of this complex,
/// which keep three decimals. The residues of chain B are numbered from 1 to 5 there, because
/// --no_align ignores insertion codes.
const std::array<DockQPose, 4> dockq_poses{{
    {{1, 0, 0, 0}, {0, 0, 0}, 0, 0, 7 / 9.0, 0.925926},
    {{0.96, 0, 0, 0.28}, {1, 0.5, -0.5}, 8.335034, 3.168728, 2 / 9.0, 0.305028},
    {{0.6, 0, 0, 0.8}, {3, 0, -1}, 22.579000, 10.234796, 2 / 9.0, 0.122459},
    {{0.8, 0.4, -0.2, 0.4}, {6, -5, 9}, 22.997252, 11.287683, 0, 0.045848},
}};

TEST(Evaluation, AMadeComplexAgreesWithDockQ) {
    // The ligand lacks an inserted residue of the interface, and the receptor has another amino
    // acid in one place.
    Structure receptor = row_of(6, receptor_names, {0, 0, 0});
    const Structure native_ligand = row_of(5, ligand_names, {1, 2, 4.5}, true);
    const Structure reference = complex_of(receptor, native_ligand);
    for (AtomRecord& atom : receptor.atoms)
        if (atom.residue_index == 3) atom.residue = "GLY";
    const Evaluation evaluation(receptor, without(native_ligand, 1), reference);
    for (const DockQPose& pose : dockq_poses) {
        const PoseQuality q = evaluation(pose.rotation, {}, pose.translation);
        EXPECT_NEAR(q.ligand_rmsd, pose.ligand_rmsd, 2e-4);
        EXPECT_NEAR(q.interface_rmsd, pose.interface_rmsd, 2e-4);
        EXPECT_DOUBLE_EQ(q.fnat, pose.fnat);
        EXPECT_NEAR(q.dockq, pose.dockq, 1e-5);
    }
}

TEST(Evaluation, AResidueNearAMissingOneIsInterface) {
    // The last residue of the receptor is within 10 A of the ligand's last residue only, which the
    // ligand's file lacks. DockQ 2 leaves such residues out.
    const Structure receptor = row_of(6, receptor_names, {0, 0, 0});
    const Structure native_ligand = row_of(5, ligand_names, {6.5, 0, 4.5});
    const Structure ligand = without(native_ligand, 4);
    const Structure reference = complex_of(receptor, native_ligand);
    const Vec3 shift{2, 3, 4};
    const auto rmsd_of = [&](int receptor_residues) {
        PointPairs pairs;
        for (const AtomRecord& atom : receptor.atoms)
            if (atom.name != "CB" && atom.residue_index < receptor_residues)
                pairs.add(atom.position, atom.position);
        for (const AtomRecord& atom : ligand.atoms)
            if (atom.name != "CB") pairs.add(atom.position + shift, atom.position);
        return tessera::docking::superposed_rmsd(pairs.model, pairs.reference);
    };
    const double found =
        Evaluation(receptor, ligand, reference)({1, 0, 0, 0}, {}, shift).interface_rmsd;
    EXPECT_NEAR(found, rmsd_of(6), 1e-9);
    EXPECT_GT(std::abs(found - rmsd_of(5)), 0.01);
}

}  // namespace

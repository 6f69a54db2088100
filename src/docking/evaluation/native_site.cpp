#include "docking/evaluation/native_site.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tessera::docking {
namespace {

constexpr double contact_distance = 5;     // Angstrom, any heavy atoms (CAPRI)
constexpr double interface_distance = 10;  // Angstrom, any heavy atoms (CAPRI)
constexpr std::array<const char*, 4> backbone{"N", "CA", "C", "O"};
/// Phosphate and sugar (DockQ 2: Mirabello & Wallner 2024).
constexpr std::array<const char*, 12> nucleotide_backbone{"P",   "OP1", "OP2", "O5'", "C5'", "C4'",
                                                          "O4'", "C3'", "O3'", "C2'", "O2'", "C1'"};

/// A residue of the reference and the corresponding residue of the partner (or nullptr).
struct MatchedResidue {
    const Residue* reference;
    const Residue* partner;
    Vec3 center;        ///< centre of the reference's atoms
    double radius = 0;  ///< largest distance of an atom from the centre
};

std::pair<Vec3, double> bounding_sphere(const std::vector<Vec3>& points) {
    Vec3 center;
    for (const Vec3& p : points) center = center + p;
    center = (1 / static_cast<double>(points.size())) * center;
    double radius = 0;
    for (const Vec3& p : points) radius = std::max(radius, norm(p - center));
    return {center, radius};
}

/// All residues of those reference chains that match a chain of the partner.
std::vector<MatchedResidue> matched_residues(const PartnerMatch& match,
                                             const std::vector<Chain>& partner,
                                             const std::vector<Chain>& reference) {
    std::vector<MatchedResidue> residues;
    for (const ChainMatch& chain : match.chains) {
        const std::size_t first = residues.size();
        for (const Residue& residue : reference[chain.reference_chain].residues) {
            const auto [center, radius] = bounding_sphere(residue.positions);
            residues.push_back({&residue, nullptr, center, radius});
        }
        for (const auto& [i, j] : chain.residues)
            residues[first + j].partner = &partner[chain.chain].residues[i];
    }
    return residues;
}

double closest_approach_squared(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double closest = distance_squared(a.front(), b.front());
    for (const Vec3& p : a)
        for (const Vec3& q : b) closest = std::min(closest, distance_squared(p, q));
    return closest;
}

/// Native contacts and interface residues, as indices into the residues of both partners.
struct NativeInterface {
    std::vector<std::pair<std::size_t, std::size_t>> contacts;
    std::vector<bool> receptor, ligand;  ///< whether a residue is within 10 A of the other partner
};

NativeInterface native_interface(const std::vector<MatchedResidue>& receptor,
                                 const std::vector<MatchedResidue>& ligand) {
    NativeInterface native{
        {}, std::vector<bool>(receptor.size()), std::vector<bool>(ligand.size())};
    for (std::size_t r = 0; r < receptor.size(); ++r)
        for (std::size_t l = 0; l < ligand.size(); ++l) {
            const double reach = receptor[r].radius + ligand[l].radius + interface_distance;
            if (distance_squared(receptor[r].center, ligand[l].center) > reach * reach) continue;
            const double closest = closest_approach_squared(receptor[r].reference->positions,
                                                            ligand[l].reference->positions);
            if (closest <= contact_distance * contact_distance) native.contacts.emplace_back(r, l);
            if (closest <= interface_distance * interface_distance)
                native.receptor[r] = native.ligand[l] = true;
        }
    return native;
}

/// Adds the atoms with the given names that both the partner and the reference have.
template <class Names>
void add_common_atoms(const MatchedResidue& residue, const Names& names, PointPairs& pairs) {
    if (!residue.partner) return;
    for (const char* name : names) {
        const Vec3 *model = residue.partner->find(name), *native = residue.reference->find(name);
        if (model && native) pairs.add(*model, *native);
    }
}

void add_backbone(const MatchedResidue& residue, PointPairs& pairs) {
    if (residue.reference->nucleic)
        add_common_atoms(residue, nucleotide_backbone, pairs);
    else
        add_common_atoms(residue, backbone, pairs);
}

void add_trace(const MatchedResidue& residue, PointPairs& pairs) {
    const Vec3* native = residue.reference->trace();
    const Vec3* model = residue.partner ? residue.partner->trace() : nullptr;
    if (model && native) pairs.add(*model, *native);
}

PointPairs common_backbone(const std::vector<MatchedResidue>& residues) {
    PointPairs pairs;
    for (const MatchedResidue& residue : residues) add_backbone(residue, pairs);
    return pairs;
}

}  // namespace

/// The steps of the constructor.
struct NativeSite::Construction {
    NativeSite& out;
    std::vector<MatchedResidue> receptor, ligand;
    NativeInterface native;
    RigidMotion to_receptor_frame{};

    static constexpr std::size_t npos = static_cast<std::size_t>(-1);  ///< not placed yet

    /// Notes the part that has too few points.
    bool enough(const PointPairs& pairs, const char* part) const {
        if (pairs.size() < 3) out.incomplete_ = part;
        return pairs.size() >= 3;
    }

    bool place_reference() {
        const PointPairs pairs = common_backbone(receptor);
        if (!enough(pairs, "receptor")) return false;
        to_receptor_frame = superpose(pairs.reference, pairs.model);
        out.receptor_rmsd_ = superposed_rmsd(pairs.reference, pairs.model);
        return true;
    }

    void move_references(PointPairs& pairs) const {
        for (Vec3& point : pairs.reference) point = to_receptor_frame(point);
    }

    bool fill_point_pairs() {
        out.ligand_backbone_ = common_backbone(ligand);
        if (!enough(out.ligand_backbone_, "ligand")) return false;
        for (std::size_t r = 0; r < receptor.size(); ++r)
            if (native.receptor[r]) add_backbone(receptor[r], out.receptor_interface_);
        for (std::size_t l = 0; l < ligand.size(); ++l) {
            if (!native.ligand[l]) continue;
            add_backbone(ligand[l], out.ligand_interface_);
            add_trace(ligand[l], out.ligand_interface_ca_);
        }
        if (!enough(out.receptor_interface_, "receptor's interface") ||
            !enough(out.ligand_interface_, "ligand's interface"))
            return false;
        for (PointPairs* pairs : {&out.ligand_backbone_, &out.receptor_interface_,
                                  &out.ligand_interface_, &out.ligand_interface_ca_})
            move_references(*pairs);
        out.ligand_moments_ = moments_of(out.ligand_backbone_);
        out.ligand_rmsd_ =
            superposed_rmsd(out.ligand_backbone_.model, out.ligand_backbone_.reference);
        return true;
    }

    void fill_contacts() {
        std::vector<std::size_t> receptor_place(receptor.size(), npos);
        std::vector<std::size_t> ligand_place(ligand.size(), npos);
        for (const auto& [r, l] : native.contacts) {
            if (!receptor[r].partner || !ligand[l].partner) continue;
            out.contacts_.emplace_back(
                place_of(receptor[r], receptor_place[r], out.receptor_residues_,
                         out.receptor_atoms_),
                place_of(ligand[l], ligand_place[l], out.ligand_residues_, out.ligand_atoms_));
        }
    }

    static std::size_t place_of(const MatchedResidue& residue, std::size_t& place,
                                std::vector<ContactResidue>& residues, std::vector<Vec3>& atoms) {
        if (place != npos) return place;
        place = residues.size();
        const auto& positions = residue.partner->positions;
        const auto [center, radius] = bounding_sphere(positions);
        residues.push_back({atoms.size(), atoms.size() + positions.size(), center, radius});
        atoms.insert(atoms.end(), positions.begin(), positions.end());
        return place;
    }
};

NativeSite::NativeSite(const ComplexMatch& match, const ComplexChains& chains) {
    Construction c{.out = *this,
                   .receptor = matched_residues(match.receptor, chains.receptor, chains.reference),
                   .ligand = matched_residues(match.ligand, chains.ligand, chains.reference),
                   .native = {}};
    c.native = native_interface(c.receptor, c.ligand);
    native_contacts_ = c.native.contacts.size();
    if (native_contacts_ > 0 && c.place_reference() && c.fill_point_pairs()) c.fill_contacts();
}

double NativeSite::ligand_mean_square(const RigidMotion& motion) const {
    return mean_square(ligand_moments_, motion);
}

PoseQuality NativeSite::quality(const RigidMotion& motion) const {
    const auto moved_rmsd = [&](const PointPairs& pairs) {
        double sum = 0;
        for (std::size_t i = 0; i < pairs.size(); ++i)
            sum += distance_squared(motion(pairs.model[i]), pairs.reference[i]);
        return std::sqrt(sum / static_cast<double>(pairs.size()));
    };
    PoseQuality q;
    q.ligand_rmsd = moved_rmsd(ligand_backbone_);
    q.ligand_interface_ca_rmsd = moved_rmsd(ligand_interface_ca_);
    q.interface_rmsd = interface_rmsd(motion);
    q.fnat = fnat(motion);
    const double i = q.interface_rmsd / 1.5, l = q.ligand_rmsd / 8.5;
    q.dockq = (q.fnat + 1 / (1 + i * i) + 1 / (1 + l * l)) / 3;
    return q;
}

double NativeSite::interface_rmsd(const RigidMotion& motion) const {
    PointPairs pairs = receptor_interface_;
    for (std::size_t i = 0; i < ligand_interface_.size(); ++i)
        pairs.add(motion(ligand_interface_.model[i]), ligand_interface_.reference[i]);
    return superposed_rmsd(pairs.model, pairs.reference);
}

double NativeSite::fnat(const RigidMotion& motion) const {
    std::vector<Vec3> moved;  // empty until residues come near each other
    const auto move_atoms = [&] {
        if (!moved.empty()) return;
        for (const Vec3& atom : ligand_atoms_) moved.push_back(motion(atom));
    };
    const auto touch = [&](const ContactResidue& r, const ContactResidue& l) {
        const double reach = r.radius + l.radius + contact_distance;
        if (distance_squared(r.center, motion(l.center)) > reach * reach) return false;
        move_atoms();
        for (std::size_t a = r.begin; a < r.end; ++a)
            for (std::size_t b = l.begin; b < l.end; ++b)
                if (distance_squared(receptor_atoms_[a], moved[b]) <=
                    contact_distance * contact_distance)
                    return true;
        return false;
    };
    std::size_t found = 0;
    for (const auto& [r, l] : contacts_)
        if (touch(receptor_residues_[r], ligand_residues_[l])) ++found;
    return static_cast<double>(found) / static_cast<double>(native_contacts_);
}

}  // namespace tessera::docking

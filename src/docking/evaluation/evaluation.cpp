#include "docking/evaluation/evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/error.hpp"
#include "docking/evaluation/residue_matching.hpp"

namespace tessera::docking {
namespace {

constexpr double contact_distance = 5;     // Angstrom, any heavy atoms (CAPRI)
constexpr double interface_distance = 10;  // Angstrom, any heavy atoms (CAPRI)
constexpr std::array<const char*, 4> backbone{"N", "CA", "C", "O"};

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

PointPairs common_backbone(const std::vector<MatchedResidue>& residues) {
    PointPairs pairs;
    for (const MatchedResidue& residue : residues) add_common_atoms(residue, backbone, pairs);
    return pairs;
}

void require_points(const PointPairs& pairs, const std::string& what) {
    if (pairs.size() >= 3) return;
    throw Error("cannot evaluate poses",
                "the " + what + " has fewer than three backbone atoms in common with the reference",
                "check that the reference is this complex");
}

}  // namespace

int capri_class(const PoseQuality& q) {
    if (q.fnat >= 0.5 && (q.ligand_rmsd <= 1 || q.interface_rmsd <= 1)) return 3;
    if (q.fnat >= 0.3 && (q.ligand_rmsd <= 5 || q.interface_rmsd <= 2)) return 2;
    if (q.fnat >= 0.1 && (q.ligand_rmsd <= 10 || q.interface_rmsd <= 4)) return 1;
    return 0;
}

/// The steps of the constructor that fill an Evaluation.
struct Evaluation::Construction {
    Evaluation& out;
    std::vector<MatchedResidue> receptor, ligand;
    NativeInterface native;
    RigidMotion to_receptor_frame{};

    static constexpr std::size_t npos = static_cast<std::size_t>(-1);  ///< not placed yet

    /// Superposes the receptor of the reference onto the input receptor. Returns the residual RMSD.
    double place_reference() {
        const PointPairs pairs = common_backbone(receptor);
        require_points(pairs, "receptor");
        to_receptor_frame = superpose(pairs.reference, pairs.model);
        return superposed_rmsd(pairs.reference, pairs.model);
    }

    void move_references(PointPairs& pairs) const {
        for (Vec3& point : pairs.reference) point = to_receptor_frame(point);
    }

    void fill_point_pairs() {
        out.ligand_backbone_ = common_backbone(ligand);
        require_points(out.ligand_backbone_, "ligand");
        for (std::size_t r = 0; r < receptor.size(); ++r)
            if (native.receptor[r])
                add_common_atoms(receptor[r], backbone, out.receptor_interface_);
        for (std::size_t l = 0; l < ligand.size(); ++l) {
            if (!native.ligand[l]) continue;
            add_common_atoms(ligand[l], backbone, out.ligand_interface_);
            add_common_atoms(ligand[l], std::array{"CA"}, out.ligand_interface_ca_);
        }
        require_points(out.receptor_interface_, "receptor's interface");
        require_points(out.ligand_interface_, "ligand's interface");
        for (PointPairs* pairs : {&out.ligand_backbone_, &out.receptor_interface_,
                                  &out.ligand_interface_, &out.ligand_interface_ca_})
            move_references(*pairs);
    }

    void fill_contacts() {
        out.native_contacts_ = native.contacts.size();
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

Evaluation::Evaluation(const io::Structure& receptor, const io::Structure& ligand,
                       const io::Structure& reference,
                       const std::vector<std::string>& reference_receptor_chains,
                       const std::vector<std::string>& reference_ligand_chains) {
    const std::vector<Chain> receptor_chains = chains_of(receptor),
                             ligand_chains = chains_of(ligand),
                             reference_chains = chains_of(reference);
    const ComplexMatch match = match_complex(receptor_chains, ligand_chains, reference_chains,
                                             reference_receptor_chains, reference_ligand_chains);
    Construction c{.out = *this,
                   .receptor = matched_residues(match.receptor, receptor_chains, reference_chains),
                   .ligand = matched_residues(match.ligand, ligand_chains, reference_chains),
                   .native = {}};
    c.native = native_interface(c.receptor, c.ligand);
    if (c.native.contacts.empty())
        throw Error(reference.path + ": no interface in the reference",
                    "no atoms of the chains matched to receptor and ligand are within 5 A",
                    "check the file or name the chains with --reference-receptor-chains and "
                    "--reference-ligand-chains");
    const double receptor_rmsd = c.place_reference();
    c.fill_point_pairs();
    c.fill_contacts();
    const double ligand_rmsd = superposed_rmsd(ligand_backbone_.model, ligand_backbone_.reference);

    std::array<char, 128> figures{};
    std::snprintf(figures.data(), figures.size(),
                  "; %zu native contacts; backbone RMSD of the partners %.2f and %.2f A",
                  native_contacts_, receptor_rmsd, ligand_rmsd);
    matched_ = describe(match.receptor, "receptor", receptor_chains, reference_chains) + "; " +
               describe(match.ligand, "ligand", ligand_chains, reference_chains) + figures.data();
}

PoseQuality Evaluation::operator()(const Quaternion& rotation, Vec3 ligand_center,
                                   Vec3 translation) const {
    RigidMotion motion;
    motion.rotation = rotation.matrix();
    motion.shift = translation - motion.rotation * ligand_center;
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
    q.fnat = native_contacts_found(motion) / static_cast<double>(native_contacts_);
    const double i = q.interface_rmsd / 1.5, l = q.ligand_rmsd / 8.5;
    q.dockq = (q.fnat + 1 / (1 + i * i) + 1 / (1 + l * l)) / 3;
    return q;
}

double Evaluation::interface_rmsd(const RigidMotion& ligand_motion) const {
    PointPairs pairs = receptor_interface_;
    for (std::size_t i = 0; i < ligand_interface_.size(); ++i)
        pairs.add(ligand_motion(ligand_interface_.model[i]), ligand_interface_.reference[i]);
    return superposed_rmsd(pairs.model, pairs.reference);
}

double Evaluation::native_contacts_found(const RigidMotion& ligand_motion) const {
    std::vector<Vec3> moved(ligand_atoms_.size());
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = ligand_motion(ligand_atoms_[i]);
    const auto touch = [&](const ContactResidue& r, const ContactResidue& l) {
        const double reach = r.radius + l.radius + contact_distance;
        if (distance_squared(r.center, ligand_motion(l.center)) > reach * reach) return false;
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
    return static_cast<double>(found);
}

}  // namespace tessera::docking

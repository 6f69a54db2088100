#include "docking/evaluation/evaluation.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "core/error.hpp"
#include "docking/evaluation/equivalent_matches.hpp"
#include "docking/evaluation/ring_matches.hpp"
#include "io/text/counted.hpp"

namespace tessera::docking {
namespace {

/// More than the 60 places on an icosahedral shell, few enough to be cheap.
constexpr std::size_t most_copies = 64;
/// A pose with fewer native contacts is incorrect (capri_class).
constexpr double least_fnat = 0.1;

/// Throws Error unless poses can be compared with this place.
void require_complete(const NativeSite& site, const io::Structure& reference) {
    if (site.native_contacts() == 0)
        throw Error(reference.path + ": no interface in the reference",
                    "no atoms of the chains matched to receptor and ligand are within 5 A",
                    "check the file or name the chains with --reference-receptor-chains and "
                    "--reference-ligand-chains");
    if (site.incomplete().empty()) return;
    throw Error("cannot evaluate poses",
                "the " + site.incomplete() +
                    " has fewer than three backbone atoms in common with the reference",
                "check that the reference is this complex");
}

std::string figures_of(const NativeSite& site) {
    std::array<char, 128> figures{};
    std::snprintf(figures.data(), figures.size(),
                  "; %zu native contacts; backbone RMSD of the partners %.2f and %.2f A",
                  site.native_contacts(), site.receptor_rmsd(), site.ligand_rmsd());
    return figures.data();
}

/// "receptor A -> B, B -> A; ligand C -> C"
std::string names_of(const ComplexMatch& match, const ComplexChains& chains) {
    const auto list = [&](const PartnerMatch& partner, const std::vector<Chain>& own) {
        std::string text;
        for (const ChainMatch& m : partner.chains)
            text += (text.empty() ? " " : ", ") + own[m.chain].name + " -> " +
                    chains.reference[m.reference_chain].name;
        return text;
    };
    return "receptor" + list(match.receptor, chains.receptor) + "; ligand" +
           list(match.ligand, chains.ligand);
}

}  // namespace

int capri_class(const PoseQuality& q) {
    if (q.fnat >= 0.5 && (q.ligand_rmsd <= 1 || q.interface_rmsd <= 1)) return 3;
    if (q.fnat >= 0.3 && (q.ligand_rmsd <= 5 || q.interface_rmsd <= 2)) return 2;
    if (q.fnat >= 0.1 && (q.ligand_rmsd <= 10 || q.interface_rmsd <= 4)) return 1;
    return 0;
}

Evaluation::Evaluation(const io::Structure& receptor, const io::Structure& ligand,
                       const io::Structure& reference,
                       const std::vector<std::string>& reference_receptor_chains,
                       const std::vector<std::string>& reference_ligand_chains) {
    const ComplexChains chains{chains_of(receptor), chains_of(ligand), chains_of(reference)};
    const ComplexMatch match = match_complex(chains.receptor, chains.ligand, chains.reference,
                                             reference_receptor_chains, reference_ligand_chains);
    add_place(match, chains);
    require_complete(places_.front(), reference);
    const auto matches =
        equivalent_matches(match, chains.receptor, chains.ligand, chains.reference, most_copies);
    for (std::size_t i = 1; i < matches.size(); ++i) add_if_complete(matches[i], chains);
    matched_ = describe(match.receptor, "receptor", chains.receptor, chains.reference) + "; " +
               describe(match.ligand, "ligand", chains.ligand, chains.reference) +
               figures_of(places_.front());
    if (places_.size() > 1)
        matched_ += "; " + std::to_string(places_.size()) + " equivalent places of the ligand";
}

Evaluation::Evaluation(const io::Structure& protein, const io::Structure& reference, int copies,
                       const std::vector<std::string>& reference_chains) {
    const ComplexChains chains{chains_of(protein), chains_of(protein), chains_of(reference)};
    const auto matches =
        ring_matches(chains.receptor, chains.reference, copies, reference_chains, most_copies);
    for (const ComplexMatch& match : matches) add_if_complete(match, chains);
    if (places_.empty()) {
        add_place(matches.front(), chains);
        require_complete(places_.front(), reference);
    }
    matched_ = describe(matches.front().receptor, "protein", chains.receptor, chains.reference) +
               figures_of(places_.front()) + "; " + io::counted(places_.size(), "pair") +
               " of neighbours in the reference";
}

void Evaluation::add_if_complete(const ComplexMatch& match, const ComplexChains& chains) {
    add_place(match, chains);
    const NativeSite& place = places_.back();
    if (place.native_contacts() > 0 && place.incomplete().empty()) return;
    places_.pop_back();
    copies_.pop_back();
}

void Evaluation::add_place(const ComplexMatch& match, const ComplexChains& chains) {
    places_.emplace_back(match, chains);
    copies_.push_back(names_of(match, chains));
}

PoseQuality Evaluation::operator()(const Quaternion& rotation, Vec3 ligand_center,
                                   Vec3 translation) const {
    RigidMotion motion;
    motion.rotation = rotation.matrix();
    motion.shift = translation - motion.rotation * ligand_center;
    return places_.size() == 1 ? places_.front().quality(motion) : best_quality(motion);
}

PoseQuality Evaluation::best_quality(const RigidMotion& motion) const {
    std::vector<std::pair<double, std::size_t>> by_distance;
    for (std::size_t i = 0; i < places_.size(); ++i)
        by_distance.emplace_back(places_[i].ligand_mean_square(motion), i);
    std::ranges::sort(by_distance);
    const auto quality_at = [&](std::size_t place) {
        PoseQuality q = places_[place].quality(motion);
        q.copy = static_cast<int>(place);
        return q;
    };
    PoseQuality best = quality_at(by_distance.front().second);
    for (std::size_t i = 1; i < by_distance.size() && capri_class(best) < 3; ++i) {
        const std::size_t place = by_distance[i].second;
        if (places_[place].fnat(motion) < least_fnat) continue;
        const PoseQuality q = quality_at(place);
        if (capri_class(q) > capri_class(best)) best = q;
    }
    return best;
}

}  // namespace tessera::docking

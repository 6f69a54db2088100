#include "docking/restraints/restraint_atoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "docking/restraints/missing_selection.hpp"
#include "io/text/agreeing.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

using Indices = std::vector<int>;

/// The residues of some atoms. `origin` is subtracted from their positions.
std::vector<RestrainedResidue> residues_of(const io::Structure& structure, const Indices& atoms,
                                           Vec3 origin) {
    std::vector<RestrainedResidue> residues;
    int last = -1;
    for (const int i : atoms) {
        const io::AtomRecord& atom = structure.atoms[static_cast<std::size_t>(i)];
        if (residues.empty() || atom.residue_index != last) residues.emplace_back();
        last = atom.residue_index;
        residues.back().atoms.push_back(atom.position - origin);
    }
    for (RestrainedResidue& residue : residues) {
        for (const Vec3& p : residue.atoms) residue.center = residue.center + p;
        residue.center = (1.0 / static_cast<double>(residue.atoms.size())) * residue.center;
        for (const Vec3& p : residue.atoms)
            residue.radius = std::max(residue.radius, norm(p - residue.center));
    }
    return residues;
}

/// The atoms of both partners that a selection means.
struct Found {
    Indices receptor, ligand;

    bool empty() const { return receptor.empty() && ligand.empty(); }
};

/// Looks selections up and keeps what it has found.
class AtomFinder {
  public:
    explicit AtomFinder(const RestrainedPartners& partners) : partners_(partners) {}

    /// `only`: the partner that the column of a table names.
    Found find(const AtomSelection& selection, const Partner* only) {
        std::vector<bool> receptor(partners_.receptor.atoms.size()),
            ligand(partners_.ligand.atoms.size());
        for (const AtomSelection* one : alternatives(selection)) {
            const Found& found = of_alternative(*one);
            const bool in_receptor = !only || *only == Partner::receptor;
            const bool in_ligand = !only || *only == Partner::ligand;
            if (in_receptor)
                for (const int i : found.receptor) receptor[i] = true;
            if (in_ligand)
                for (const int i : found.ligand) ligand[i] = true;
            if ((!in_receptor || found.receptor.empty()) && (!in_ligand || found.ligand.empty()))
                missing_.insert(text_of(*one));
        }
        return {places_of(receptor), places_of(ligand)};
    }

    /// The alternatives without atoms since the last call, each once.
    std::set<std::string> take_missing() { return std::exchange(missing_, {}); }

  private:
    const Found& of_alternative(const AtomSelection& selection) {
        const auto [place, is_new] = known_.try_emplace(text_of(selection));
        if (is_new)
            place->second = {matching(selection, partners_.receptor, Partner::receptor),
                             matching(selection, partners_.ligand, Partner::ligand)};
        return place->second;
    }

    static Indices matching(const AtomSelection& selection, const io::Structure& structure,
                            Partner partner) {
        Indices found;
        for (std::size_t i = 0; i < structure.atoms.size(); ++i)
            if (selection.matches(structure.atoms[i], partner))
                found.push_back(static_cast<int>(i));
        return found;
    }

    static Indices places_of(const std::vector<bool>& flags) {
        Indices places;
        for (std::size_t i = 0; i < flags.size(); ++i)
            if (flags[i]) places.push_back(static_cast<int>(i));
        return places;
    }

    const RestrainedPartners& partners_;
    std::map<std::string, Found> known_;
    std::set<std::string> missing_;
};

[[noreturn]] void refuse(const std::string& where, const std::string& why,
                         const std::string& what_to_do) {
    throw Error("cannot use the restraint at '" + where + "'", why, what_to_do);
}

class Builder {
  public:
    Builder(const RestrainedPartners& partners, const RestraintOptions& options)
        : partners_(partners), options_(options), finder_(partners) {
        restraints_.tolerance = options.tolerance;
    }

    void add(const RestraintFile& file, std::vector<std::string>& warnings) {
        for (std::size_t g = 0; g < file.groups.size(); ++g) add_group(file, g);
        const auto missing = finder_.take_missing();
        if (missing.empty()) return;
        warnings.push_back(fmt::format(
            "restraints '{}': {} no atoms and {} left out{} {}", io::one_line(file.path),
            io::counted(missing.size(), "alternative names", "alternatives name"),
            missing.size() == 1 ? "is" : "are", missing.size() == 1 ? ":" : ", such as",
            io::one_line(*missing.begin())));
    }

    DistanceRestraints finish() { return std::move(restraints_); }

  private:
    void add_group(const RestraintFile& file, std::size_t g) {
        RestraintGroup group{file.groups[g].name, 0, 0};
        for (const RestraintLine& line : file.restraints)
            if (line.group == g) {
                restraints_.restraints.push_back(look_up(line));
                ++group.size;
            }
        group.required = required_of(file, file.groups[g].required).among(group.size);
        if (group.required > group.size)
            refuse(file.groups[g].where,
                   fmt::format("{} of group {} {} required, and it has {}",
                               io::counted(group.required, "restraint"), group.name,
                               io::agreeing(group.required, "is", "are"), group.size),
                   "require fewer (--restraints-required, or column required)");
        restraints_.groups.push_back(std::move(group));
    }

    /// The number of the group, that of the option, or half of a HADDOCK table.
    RequiredShare required_of(const RestraintFile& file, const RequiredShare& own) const {
        if (own.is_given()) return own;
        const auto typed = parse_required_share(options_.required);
        if (typed && typed->is_given()) return *typed;
        RequiredShare share;
        if (file.is_haddock_table) share.percent = 50;
        return share;
    }

    DistanceRestraint look_up(const RestraintLine& line) {
        static constexpr Partner receptor = Partner::receptor, ligand = Partner::ligand;
        const bool sided = line.first_is_receptor;
        Found first = found(line, line.first, sided ? &receptor : nullptr);
        Found second = found(line, line.second, sided ? &ligand : nullptr);
        if (first.receptor.empty()) std::swap(first, second);
        if (!first.ligand.empty() || !second.receptor.empty())
            refuse(line.where,
                   fmt::format("both selections have atoms of the {}",
                               second.receptor.empty() ? "ligand" : "receptor"),
                   "restrain the receptor to the ligand: segid A is the receptor, segid B the "
                   "ligand, and chain tells chains of the same partner apart");
        return {line.name,
                static_cast<int>(restraints_.groups.size()),
                line.lower,
                line.upper,
                residues_of(partners_.receptor, first.receptor, {}),
                residues_of(partners_.ligand, second.ligand, partners_.ligand_center)};
    }

    Found found(const RestraintLine& line, const AtomSelection& selection, const Partner* only) {
        Found atoms = finder_.find(selection, only);
        if (atoms.empty())
            refuse(line.where, "'" + io::one_line(text_of(selection)) + "' names no atoms",
                   suggestion_for(selection, partners_.receptor, partners_.ligand, only));
        return atoms;
    }

    const RestrainedPartners& partners_;
    const RestraintOptions& options_;
    AtomFinder finder_;
    DistanceRestraints restraints_;
};

}  // namespace

DistanceRestraints find_restraint_atoms(const std::vector<RestraintFile>& files,
                                        const RestrainedPartners& partners,
                                        const RestraintOptions& options,
                                        std::vector<std::string>& warnings) {
    Builder builder(partners, options);
    for (const RestraintFile& file : files) builder.add(file, warnings);
    return builder.finish();
}

DistanceRestraints read_restraints(const RestraintOptions& options,
                                   const RestrainedPartners& partners, RestraintHashes& hashes,
                                   std::vector<std::string>& warnings) {
    std::vector<RestraintFile> files;
    for (const std::string& path : options.files) {
        files.push_back(read_restraint_file(path));
        hashes.emplace_back(path, files.back().sha256);
    }
    return find_restraint_atoms(files, partners, options, warnings);
}

}  // namespace tessera::docking

#include "docking/ensemble/model_conformers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

#include "core/error.hpp"
#include "docking/evaluation/superposition.hpp"
#include "io/proteins/nucleotides.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

using AtomKey = std::tuple<std::string, int, char, std::string, std::string>;

AtomKey key_of(const io::AtomRecord& atom) {
    return {atom.chain, atom.residue_number, atom.insertion_code, atom.variant, atom.name};
}

/// The atoms of a model by their names. Several may have the same, in the order of the file.
class AtomIndex {
  public:
    explicit AtomIndex(const io::Structure& model) {
        for (const auto* atoms : {&model.atoms, &model.nucleic, &model.hetero})
            for (const io::AtomRecord& atom : *atoms)
                positions_[key_of(atom)].push_back(atom.position);
    }

    /// Null if there is no such atom, or none that was not taken before.
    const Vec3* take(const io::AtomRecord& atom) {
        const auto found = positions_.find(key_of(atom));
        if (found == positions_.end()) return nullptr;
        const std::size_t place = taken_[found->first]++;
        return place < found->second.size() ? &found->second[place] : nullptr;
    }

  private:
    std::map<AtomKey, std::vector<Vec3>> positions_;
    std::map<AtomKey, std::size_t> taken_;
};

[[noreturn]] void refuse(const NamedModel& model, const std::string& partner,
                         const std::string& why) {
    throw Error(model.name + " is no conformer of the " + partner, why,
                "give conformers of the same atoms, or choose models with --" + partner +
                    "-models");
}

std::string name_of(const io::AtomRecord& atom) {
    std::string name =
        fmt::format("{} of {} {} {}", atom.name, atom.variant, atom.chain, atom.residue_number);
    if (atom.insertion_code != ' ') name += atom.insertion_code;
    return io::one_line(name, 60);
}

/// Superposes the positions on those of the structure.
void superpose_on(const io::Structure& whole, std::vector<Vec3>& positions) {
    std::vector<Vec3> moving, fixed;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (!io::is_trace(whole.atoms[i])) continue;
        moving.push_back(positions[i]);
        fixed.push_back(whole.atoms[i].position);
    }
    if (moving.size() < 3) return;
    const RigidMotion motion = superpose(moving, fixed);
    for (Vec3& position : positions) position = motion(position);
}

}  // namespace

std::vector<Vec3> positions_in(const NamedModel& model, const io::Structure& first,
                               const io::Structure& whole, const std::string& partner) {
    const std::size_t there = model.structure.atoms.size(), here = first.atoms.size();
    AtomIndex index(model.structure);
    std::vector<Vec3> positions;
    positions.reserve(whole.atoms.size());
    for (const io::AtomRecord& atom : whole.atoms) {
        const Vec3* position = index.take(atom);
        if (!position)
            refuse(model, partner,
                   "it lacks the atom " + name_of(atom) + ", which the first conformer has");
        positions.push_back(*position);
    }
    if (there != here)
        refuse(model, partner,
               fmt::format("it has {}, and the first conformer has {}",
                           io::counted(there, "heavy atom"), here));
    superpose_on(whole, positions);
    return positions;
}

}  // namespace tessera::docking

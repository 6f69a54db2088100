// All pairs of a screening.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "docking/pairs/pair_source.hpp"
#include "docking/screen/partner_list.hpp"
#include "docking/screen/shard_layout.hpp"

namespace tessera::docking {

/// Every receptor with every ligand. Pair r * ligands + l is receptor r with ligand l, so
/// neighbours share their receptor. This is its number. A source may have some of the pairs only;
/// its indices then begin at the first of them. A rank holds the two lists, but no list of the
/// pairs.
class ScreenPairs : public PairSource {
  public:
    /// `common`: the options of all pairs.
    ScreenPairs(std::vector<ScreenPartner> receptors, std::vector<ScreenPartner> ligands,
                DockInput common)
        : receptors_(std::move(receptors)),
          ligands_(std::move(ligands)),
          common_(std::move(common)),
          chosen_{0, all_pairs()} {}

    /// From now on it has the pairs with these numbers only.
    void choose(const NumberRange& numbers) { chosen_ = numbers; }
    /// Pairs of the lists, whether chosen or not.
    std::size_t all_pairs() const { return receptors_.size() * ligands_.size(); }
    std::size_t number(std::size_t index) const { return chosen_.first + index; }

    std::size_t size() const override { return chosen_.size(); }
    DockPair pair(std::size_t index) const override;
    std::string name(std::size_t index) const override {
        return receptor(index).name + between_names + ligand(index).name;
    }
    bool same_receptor(std::size_t a, std::size_t b) const override {
        return number(a) / ligands_.size() == number(b) / ligands_.size();
    }

    const ScreenPartner& receptor(std::size_t index) const {
        return receptors_[number(index) / ligands_.size()];
    }
    const ScreenPartner& ligand(std::size_t index) const {
        return ligands_[number(index) % ligands_.size()];
    }
    const std::vector<ScreenPartner>& receptors() const { return receptors_; }
    const std::vector<ScreenPartner>& ligands() const { return ligands_; }

  private:
    std::vector<ScreenPartner> receptors_, ligands_;
    DockInput common_;
    NumberRange chosen_;
};

}  // namespace tessera::docking

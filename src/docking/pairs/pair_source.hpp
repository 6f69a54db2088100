// The pairs of a run.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "docking/pairs/pair_list.hpp"

namespace tessera::docking {

/// The pairs of a run, by their indices. A pair is made when it is asked for, so that no rank has
/// to hold all of them.
class PairSource {
  public:
    virtual ~PairSource() = default;
    virtual std::size_t size() const = 0;
    virtual DockPair pair(std::size_t index) const = 0;
    virtual std::string name(std::size_t index) const = 0;
    /// has_own_search() of pair(index).
    virtual bool is_own_search(std::size_t index) const {
        return has_own_search(pair(index).input);
    }
    /// Whether the receptors of two pairs are the same file and chains.
    virtual bool same_receptor(std::size_t a, std::size_t b) const = 0;
};

/// The rows of a table.
class ListedPairs : public PairSource {
  public:
    explicit ListedPairs(std::vector<DockPair> pairs) : pairs_(std::move(pairs)) {}

    std::size_t size() const override { return pairs_.size(); }
    DockPair pair(std::size_t index) const override { return pairs_[index]; }
    std::string name(std::size_t index) const override { return pairs_[index].name; }
    bool is_own_search(std::size_t index) const override {
        return has_own_search(pairs_[index].input);
    }
    bool same_receptor(std::size_t a, std::size_t b) const override;

  private:
    std::vector<DockPair> pairs_;
};

/// Some pairs of another source, such as those that are left to do. The source must outlive it.
class SomePairs : public PairSource {
  public:
    SomePairs(const PairSource& all, std::vector<std::size_t> chosen)
        : all_(all), chosen_(std::move(chosen)) {}

    std::size_t size() const override { return chosen_.size(); }
    DockPair pair(std::size_t index) const override { return all_.pair(chosen_[index]); }
    std::string name(std::size_t index) const override { return all_.name(chosen_[index]); }
    bool same_receptor(std::size_t a, std::size_t b) const override {
        return all_.same_receptor(chosen_[a], chosen_[b]);
    }

  private:
    const PairSource& all_;
    std::vector<std::size_t> chosen_;
};

/// Groups neighbouring pairs with the same receptor. Returns the sizes of the groups, at most
/// `longest` pairs each.
std::vector<int> receptor_groups(const PairSource& pairs, int longest);

}  // namespace tessera::docking

// Times of pairs of a table that follow from those of one of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "docking/pairs/pair_list.hpp"
#include "plan/docking_plan.hpp"

namespace tessera::plan {

struct SizedPair {
    docking::DockPair pair;
    int n = 0;         ///< grid points along an axis
    double atoms = 0;  ///< atoms of the ligand
};

/// Seconds of the parts of a pair on a rank.
struct PairSeconds {
    double load = 0, search = 0, rank = 0, refine = 0;  ///< on the device, one after another
    double prepare = 0, finish = 0;                     ///< at the same time, in other threads

    double device() const { return load + search + rank + refine; }
    /// Seconds until the next pair: the other two wait for the slowest of the three.
    double in_all() const { return std::max({device(), prepare, finish}); }
};

/// Scales the plan of the tried pair to other pairs.
class Scale {
  public:
    Scale(const DockingPlan& tried, std::int64_t budget);

    /// Throws Error if the pair does not fit the device.
    PairSeconds operator()(const SizedPair& pair) const;

    const PairSeconds& of_tried() const { return of_tried_; }

  private:
    /// Time of the search in an arbitrary unit.
    double search_seconds(const DockingSize& size) const;

    const DockingPlan& tried_;
    std::int64_t budget_;
    PairSeconds of_tried_;
};

/// The table whose rows are planned.
struct TableOfRows {
    double rows_a_pair = 1;   ///< rows for which each one that was read stands
    bool has_others = false;  ///< the plan has rows already
};

/// Adds the rows that are docked one after another (docking::has_own_search()) to the plan of the
/// others. Of the rows with the same options one is planned, and the others are scaled from it.
void add_own_searches(LocalPlan& plan, const std::vector<SizedPair>& rows, TableOfRows table,
                      const PlanRequest& request, SharedDevice& device);

}  // namespace tessera::plan

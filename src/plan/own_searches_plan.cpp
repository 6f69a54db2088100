// Plans of the rows of a table that are docked one after another (declared in scaled_pairs.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "docking/setup/choose_rotations.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"
#include "plan/scaled_pairs.hpp"

namespace tessera::plan {

namespace {

using docking::DockInput;

/// Rows with the same text have searches of the same kind: as many rotations, conformers and
/// copies, as far as the options tell.
std::string kind_of(const DockInput& input) {
    const docking::EnsembleOptions& ensemble = input.ensemble;
    std::string text = input.symmetry.is_set() ? name_of(input.symmetry) : "pair";
    if (ensemble.is_set())
        text += fmt::format(" with conformers {} {} {} {} {} {} {}", ensemble.conformers,
                            ensemble.receptor_conformers, ensemble.ligand_conformers,
                            ensemble.receptor_models, ensemble.ligand_models,
                            ensemble.receptor_files.size(), ensemble.ligand_files.size());
    if (input.membrane.is_set()) text += " at a membrane";
    return text;
}

/// Seconds of some rows: those that ranks share, and those of every rank or of rank 0.
struct RowSeconds {
    double shared = 0, alone = 0, items = 0;
    std::int64_t tiles = 0;
};

RowSeconds seconds_of_rows(const std::vector<SizedPair>& rows, const DockingPlan& tried,
                           std::int64_t budget, LocalPlan& plan) {
    const Scale scale(tried, budget);
    RowSeconds sum;
    for (const SizedPair& row : rows) {
        try {
            const PairSeconds one = scale(row);
            sum.shared += one.search + one.refine;
            sum.alone += one.load + one.rank + one.prepare + one.finish;
            sum.items += tried.plan.job.items;
            sum.tiles += tried.plan.job.tiles;
        } catch (const Error& error) {
            if (error.code() != ExitCode::resources) throw;
            plan.notes.push_back("pair " + row.pair.name + " fails: " + error.what());
        }
    }
    return sum;
}

/// The plan of no rows on the device of the tried one.
LocalPlan without_rows(const DockingPlan& tried, const PlanRequest& request) {
    LocalPlan plan = tried.plan;
    plan.rank.start_seconds -= tried.load_seconds * tried.dockings;
    plan.job.items = 0;
    plan.job.tiles = 0;
    plan.job.second = {};
    plan.before = {{"start program", request.program_start_seconds, Basis::measured}};
    plan.after.clear();
    plan.notes.clear();
    return plan;
}

}  // namespace

void add_own_searches(LocalPlan& plan, const std::vector<SizedPair>& rows, TableOfRows table,
                      const PlanRequest& request, SharedDevice& device) {
    std::map<std::string, std::vector<SizedPair>> kinds;
    for (const SizedPair& row : rows) kinds[kind_of(row.pair.input)].push_back(row);
    double alone = 0;
    for (const auto& [kind, alike] : kinds) {
        const SizedPair& middle = alike[alike.size() / 2];
        const DockInput& input = middle.pair.input;
        const DockingPlan tried =
            plan_one_docking(input, docking::choose_rotations(input), request, device);
        if (!table.has_others) {
            const auto notes = std::exchange(plan.notes, {});
            plan = without_rows(tried, request);
            plan.notes = notes;
            table.has_others = true;
        }
        if (!tried.plan.rank.can_run()) {
            plan.rank.why_not = tried.plan.rank.why_not;
            return;
        }
        const std::int64_t budget = memory_budget(
            tried.plan.rank.device.backend, tried.plan.rank.device.free_bytes, request.memory_gib);
        const RowSeconds sum = seconds_of_rows(alike, tried, budget, plan);
        const double former = plan.rank.item_seconds * plan.job.items;
        const double items = std::round(sum.items * table.rows_a_pair);
        plan.job.items += items;
        plan.job.tiles += static_cast<std::int64_t>(
            std::round(static_cast<double>(sum.tiles) * table.rows_a_pair));
        if (plan.job.items > 0)
            plan.rank.item_seconds = (former + sum.shared * table.rows_a_pair) / plan.job.items;
        plan.rank.memory_bytes = std::max(plan.rank.memory_bytes, tried.plan.rank.memory_bytes);
        alone += sum.alone * table.rows_a_pair;
        plan.notes.push_back(fmt::format(
            "rows that are docked one after another: {} of those that were read ({}); times are "
            "scaled from {}: {:.0f} rotations",
            alike.size(), kind, middle.pair.name, tried.plan.job.items));
    }
    plan.after.push_back({"rows docked alone: rest", alone, Basis::sampled});
}

}  // namespace tessera::plan

// Plans of tessera dock --pairs and tessera screen (declared in docking_plan.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "docking/model/kept_residues.hpp"
#include "docking/model/low_confidence.hpp"
#include "docking/pairs/pair_source.hpp"
#include "docking/screen/screen_pairs.hpp"
#include "docking/setup/choose_rotations.hpp"
#include "docking/setup/outlying_residues.hpp"
#include "io/text/agreeing.hpp"
#include "io/text/counted.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"
#include "plan/docking_plan.hpp"
#include "plan/scaled_pairs.hpp"

namespace tessera::plan {

namespace {

using docking::DockInput;
using docking::DockPair;

/// At most this many of the pairs are read, spread evenly over all of them.
constexpr std::size_t most_looked_at = 500;

/// A partner as far as its extent needs it.
struct SizedPartner {
    docking::CutPartner cut;
    docking::PartnerOutline outline;  ///< of the residues that are docked
};

/// The extents of the partners. A file is read once for all its pairs.
class Partners {
  public:
    using Chains = std::vector<std::string>;

    const SizedPartner& at(const std::string& partner, const std::string& path,
                           const Chains& chains, const docking::PlddtRule& rule,
                           const docking::KeepRule& keep) {
        const Key key{path,           chains,   rule.kind,  rule.threshold,
                      keep.automatic, keep.all, keep.names, keep.drop};
        const auto known = known_.find(key);
        if (known != known_.end()) return known->second;
        io::Structure structure = io::read_structure(path, chains);
        docking::keep_residues(keep, structure);
        SizedPartner sized{docking::cut_low_confidence(partner, rule, structure), {}};
        sized.outline = docking::outline_of(structure);
        sized.cut.whole.reset();
        return known_[key] = std::move(sized);
    }

  private:
    using Names = std::set<std::string>;
    using Key =
        std::tuple<std::string, Chains, docking::PlddtRule::Kind, double, bool, bool, Names, Names>;
    std::map<Key, SizedPartner> known_;
};

/// The pair with its size. Notes the residues that enlarge its grid, unless the grid was chosen.
SizedPair size_of(const DockPair& pair, Partners& partners, std::vector<std::string>& notes) {
    const DockInput& input = pair.input;
    const docking::PlddtRules rules = docking::parse_plddt(input.plddt);
    const docking::KeepRules keep = docking::parse_keep(input.keep, input.drop);
    const auto& [receptor_cut, receptor] = partners.at(
        "receptor", input.receptor_path, input.receptor_chains, rules.receptor, keep.receptor);
    const auto& [ligand_cut, ligand] =
        partners.at("ligand", input.ligand_path, input.ligand_chains, rules.ligand, keep.ligand);
    docking::require_plddt(rules, receptor_cut, ligand_cut);
    const docking::DockingFrame frame =
        docking::make_frame(receptor.whole, ligand.whole, input.spacing, input.grid);
    const std::string warning =
        input.grid == 0 ? docking::outlying_residues_warning(receptor, ligand, frame) : "";
    if (!warning.empty()) notes.push_back("warning: pair " + pair.name + ": " + warning);
    return {pair, frame.n, static_cast<double>(ligand.whole.size())};
}

/// The pairs sorted by size. Those that cannot be used are noted and left out, as in the run.
std::vector<SizedPair> sized_pairs(const docking::PairSource& pairs,
                                   std::vector<std::string>& notes) {
    Partners partners;
    std::vector<SizedPair> sized;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const DockPair pair = pairs.pair(i);
        try {
            sized.push_back(size_of(pair, partners, notes));
        } catch (const Error& error) {
            notes.push_back("pair " + pair.name + " fails: " + error.what());
        }
    }
    std::ranges::sort(sized, {}, [](const SizedPair& p) { return std::pair(p.n, p.pair.line); });
    return sized;
}

std::string shares_of(const PairSeconds& sum, double waiting) {
    const double whole = std::max(sum.device() + waiting, 1e-300);
    return fmt::format("time of a rank: {:.0f} % loading, {:.0f} % searching, {:.0f} % ranking, "
                       "{:.0f} % refining, {:.0f} % waiting for preparation and writing",
                       100 * sum.load / whole, 100 * sum.search / whole, 100 * sum.rank / whole,
                       100 * sum.refine / whole, 100 * waiting / whole);
}

/// Turns the plan of one pair into the plan of the whole table, without the pairs that cannot run.
void scale_to_table(LocalPlan& plan, const DockingPlan& tried, const std::vector<SizedPair>& sized,
                    double rows_a_pair, std::int64_t budget) {
    const Scale scale(tried, budget);
    PairSeconds sum;
    double in_all = 0, count = 0;
    for (const SizedPair& pair : sized) {
        try {
            const PairSeconds one = scale(pair);
            sum.load += one.load;
            sum.search += one.search;
            sum.rank += one.rank;
            sum.refine += one.refine;
            in_all += one.in_all();
            ++count;
        } catch (const Error& error) {
            if (error.code() != ExitCode::resources) throw;
            plan.notes.push_back("pair " + pair.pair.name + " fails: " + error.what());
        }
    }
    plan.notes.push_back(shares_of(sum, in_all - sum.device()));
    plan.rank.item_seconds = in_all / (count * tried.size.rotations);
    plan.rank.start_seconds -= tried.load_seconds;
    const double pairs = std::round(count * rows_a_pair);
    plan.job.items = tried.size.rotations * pairs;
    plan.job.tiles = tried.plan.job.tiles * static_cast<std::int64_t>(pairs);
    plan.job.second = {};
    plan.after = {{"last pair written", scale.of_tried().finish, Basis::sampled}};
}

/// The plan of the pairs that share the rotations of the run. `where`: how many pairs there are.
LocalPlan plan_shared(const DockInput& common, const std::vector<SizedPair>& sized,
                      double rows_a_pair, const std::string& where, const PlanRequest& request,
                      SharedDevice& device) {
    docking::RotationSet rotations;
    const double choosing = seconds_of([&] { rotations = docking::choose_rotations(common); });
    const SizedPair& middle = sized[sized.size() / 2];
    const DockingPlan tried =
        plan_one_docking(middle.pair.input, std::move(rotations), request, device);

    LocalPlan plan = tried.plan;
    plan.notes = {fmt::format("{}; the {} that {} read {} grids of {}^3 to {}^3 points; "
                              "times are scaled from {} ({}^3 points)",
                              where, io::counted(sized.size(), "pair"),
                              io::agreeing(sized.size(), "was", "were"),
                              io::agreeing(sized.size(), "has", "have"), sized.front().n,
                              sized.back().n, middle.pair.name, middle.n)};
    plan.before.insert(
        plan.before.begin(),
        {"start program", request.program_start_seconds + choosing, Basis::measured});
    if (!plan.rank.can_run()) return plan;
    const std::int64_t budget =
        memory_budget(plan.rank.device.backend, plan.rank.device.free_bytes, request.memory_gib);
    scale_to_table(plan, tried, sized, rows_a_pair, budget);
    return plan;
}

/// The plan of `all` pairs of `list`, of which `some` are read.
LocalPlan plan_pairs(const DockInput& common, const docking::PairSource& some, std::size_t all,
                     const std::string& list, const PlanRequest& request) {
    std::vector<std::string> notes;
    std::vector<SizedPair> sized = sized_pairs(some, notes);
    if (sized.empty())
        throw Error("no pair of '" + list + "' can be docked", notes.front(), "correct the table");
    std::vector<SizedPair> own;
    std::ranges::copy_if(sized, std::back_inserter(own), [](const SizedPair& row) {
        return docking::has_own_search(row.pair.input);
    });
    std::erase_if(sized,
                  [](const SizedPair& row) { return docking::has_own_search(row.pair.input); });
    const double rows_a_pair = static_cast<double>(all) / static_cast<double>(some.size());
    const std::string where = fmt::format("pairs: {} in '{}'", all, list);
    LocalPlan plan;
    SharedDevice device;
    if (sized.empty())
        plan.notes = {where};
    else
        plan = plan_shared(common, sized, rows_a_pair, where, request, device);
    if (!own.empty() && plan.rank.can_run())
        add_own_searches(plan, own, {rows_a_pair, !sized.empty()}, request, device);
    plan.notes.insert(plan.notes.begin(), notes.begin(), notes.end());
    return plan;
}

}  // namespace

LocalPlan plan_docking_pairs(const DockInput& common, const std::string& table,
                             const PlanRequest& request) {
    const docking::ListedPairs pairs(docking::read_pair_list(table, common));
    std::vector<std::size_t> some(std::min(pairs.size(), most_looked_at));
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = i * pairs.size() / some.size();
    return plan_pairs(common, docking::SomePairs(pairs, some), pairs.size(), table, request);
}

LocalPlan plan_screening(const DockInput& common, const docking::ScreenRequest& screening,
                         const PlanRequest& request) {
    const docking::ScreenPairs pairs(docking::read_partner_list(screening.receptors),
                                     docking::read_partner_list(screening.ligands), common);
    const docking::ShardLayout layout(pairs.size(), screening.pairs_per_shard, screening.part);
    std::vector<std::size_t> some(std::min(pairs.size(), most_looked_at));
    const std::size_t columns = pairs.ligands().size();
    for (std::size_t i = 0; i < some.size(); ++i) {
        // Rows in even steps. The golden ratio spreads the columns, whatever the step.
        const std::size_t row = i * pairs.size() / some.size() / columns;
        double whole = 0;
        const double part = std::modf(static_cast<double>(i) * 0.6180339887498949, &whole);
        some[i] = some.size() == pairs.size()
                      ? i
                      : row * columns + static_cast<std::size_t>(part * columns);
    }
    LocalPlan plan = plan_pairs(common, docking::SomePairs(pairs, some), layout.pairs().size(),
                                screening.receptors + "' and '" + screening.ligands, request);
    plan.job.jobs = screening.part.of;
    return plan;
}

}  // namespace tessera::plan

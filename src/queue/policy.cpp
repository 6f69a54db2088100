#include "queue/policy.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "queue/late_jobs.hpp"

namespace tessera::queue {

namespace {

using JobIndex = std::size_t;

/// Cores and GPUs that nobody has yet.
class Room {
  public:
    explicit Room(const Machine& machine)
        : cores_(machine.cores), free_(static_cast<std::size_t>(machine.gpus), true) {}

    int cores() const { return cores_; }

    bool holds(const JobView& job, const std::vector<int>& gpus) const {
        return job.cores <= cores_ &&
               std::ranges::all_of(gpus, [&](int gpu) { return is_free(gpu); });
    }

    /// GPUs for a job that waits, those before others that `disturbs` least; nothing if there are
    /// too few.
    std::optional<std::vector<int>> find(const JobView& job,
                                         const std::function<int(int)>& disturbs) const {
        if (job.cores > cores_) return std::nullopt;
        if (job.gpu != any_gpu)
            return is_free(job.gpu) ? std::optional(std::vector{job.gpu}) : std::nullopt;
        std::vector<int> found;
        for (int gpu = 0; gpu < static_cast<int>(free_.size()); ++gpu)
            if (is_free(gpu)) found.push_back(gpu);
        if (static_cast<int>(found.size()) < job.gpus) return std::nullopt;
        std::ranges::stable_sort(found, {}, disturbs);
        found.resize(static_cast<std::size_t>(job.gpus));
        return found;
    }

    void take(const JobView& job, const std::vector<int>& gpus) {
        cores_ -= job.cores;
        for (const int gpu : gpus) free_[static_cast<std::size_t>(gpu)] = false;
    }

  private:
    bool is_free(int gpu) const {
        return gpu >= 0 && gpu < static_cast<int>(free_.size()) &&
               free_[static_cast<std::size_t>(gpu)];
    }
    int cores_;
    std::vector<bool> free_;
};

/// Fills an empty machine with one job after the other.
class Choice {
  public:
    Choice(const State& state, Policy policy)
        : state_(state), policy_(policy), room_(state.machine), placed_(state.jobs.size()) {
        for (const Project& project : state.projects) debts_.push_back(project.debt);
    }

    bool open(JobIndex i) const {
        const JobView& job = state_.jobs[i];
        return !placed_[i] && !job.stopping && fits(job, state_.machine);
    }

    bool in_slice(const JobView& job) const {
        return job.running && (policy_ == Policy::first_come || job.protected_until > state_.now);
    }

    void try_job(JobIndex i) {
        const JobView& job = state_.jobs[i];
        const auto gpus = gpus_for(job);
        if (!gpus) {
            if (job.cores > room_.cores())
                waits_for_cores_ = true;
            else if (job.gpu == any_gpu)
                waits_for_gpus_ = true;
            return;
        }
        room_.take(job, *gpus);
        placed_[i] = true;
        debts_[job.project] -= weight_of(job, state_.machine) * state_.slice;
        chosen_.push_back({i, *gpus, end_of_slice(job)});
    }

    /// Tries all open jobs that are `wanted`, always next one of the project with the greatest
    /// debt. Within a project priority decides, and then who came first.
    void by_debt(const std::function<bool(const JobView&)>& wanted) {
        std::vector<std::vector<JobIndex>> queues(state_.projects.size());
        for (JobIndex i = 0; i < state_.jobs.size(); ++i)
            if (open(i) && wanted(state_.jobs[i])) queues[state_.jobs[i].project].push_back(i);
        for (auto& queue : queues)  // the first one last, to be taken from the end
            std::ranges::sort(queue, [&](JobIndex a, JobIndex b) { return comes_first(b, a); });
        while (room_.cores() > 0) {
            std::vector<JobIndex>* best = nullptr;
            for (auto& queue : queues)
                if (!queue.empty() && (!best || goes_before(queue.back(), best->back())))
                    best = &queue;
            if (!best) return;
            const JobIndex i = best->back();
            best->pop_back();
            try_job(i);
        }
    }

    std::vector<Placement> take() { return std::move(chosen_); }

  private:
    bool comes_first(JobIndex a, JobIndex b) const {
        const JobView &one = state_.jobs[a], &other = state_.jobs[b];
        if (policy_ != Policy::first_come && one.priority != other.priority)
            return one.priority > other.priority;
        return one.id < other.id;
    }

    bool goes_before(JobIndex a, JobIndex b) const {
        const double one = debts_[state_.jobs[a].project], other = debts_[state_.jobs[b].project];
        if (policy_ != Policy::first_come && one != other) return one > other;
        return state_.jobs[a].id < state_.jobs[b].id;
    }

    std::optional<std::vector<int>> gpus_for(const JobView& job) const {
        if (job.running) return room_.holds(job, job.held) ? std::optional(job.held) : std::nullopt;
        return room_.find(job, [&](int gpu) {
            return static_cast<int>(std::ranges::any_of(state_.jobs, [&](const JobView& other) {
                return other.gpu == gpu || (other.running && std::ranges::count(other.held, gpu));
            }));
        });
    }

    /// A job that only fills a gap, while one before it finds no room, leaves as soon as that one
    /// does find it.
    double end_of_slice(const JobView& job) const {
        if (in_slice(job)) return job.protected_until;
        const bool fills_gap = waits_for_cores_ || (job.gpus > 0 && waits_for_gpus_);
        return fills_gap ? state_.now : state_.now + state_.slice;
    }

    const State& state_;
    Policy policy_;
    Room room_;
    std::vector<bool> placed_;
    std::vector<double> debts_;  ///< after the slice that begins now
    std::vector<Placement> chosen_;
    bool waits_for_cores_ = false, waits_for_gpus_ = false;  ///< some job before this one
};

/// The jobs that go before all shares, the earliest deadline first.
std::vector<JobIndex> urgent_jobs(const State& state, Policy policy) {
    std::vector<JobIndex> urgent;
    if (policy == Policy::shares_and_deadlines) urgent = late_under_shares(state);
    if (policy == Policy::earliest_deadline)
        for (JobIndex i = 0; i < state.jobs.size(); ++i)
            if (state.jobs[i].deadline < never && state.jobs[i].deadline > state.now)
                urgent.push_back(i);
    std::ranges::stable_sort(urgent, {}, [&](JobIndex i) { return state.jobs[i].deadline; });
    return urgent;
}

/// A job that takes no more than a core for each of its GPUs.
bool is_light(const JobView& job) { return job.gpus > 0 && job.cores <= job.gpus; }

}  // namespace

double weight_of(const JobView& job, const Machine& machine) {
    return job.cores + machine.gpu_weight * job.gpus;
}

bool fits(const JobView& job, const Machine& machine) {
    return job.cores <= machine.cores && job.gpus <= machine.gpus && job.gpu < machine.gpus;
}

std::vector<Placement> choose(const State& state, Policy policy) {
    Choice choice(state, policy);
    for (const JobIndex i : urgent_jobs(state, policy))
        if (choice.open(i)) choice.try_job(i);
    const auto keep = [&](bool with_gpus) {
        for (JobIndex i = 0; i < state.jobs.size(); ++i) {
            const JobView& job = state.jobs[i];
            if (choice.open(i) && choice.in_slice(job) && (job.gpus > 0) == with_gpus)
                choice.try_job(i);
        }
    };
    // No GPU stands still because other jobs have every core.
    keep(true);
    if (policy != Policy::first_come) choice.by_debt(is_light);
    keep(false);
    choice.by_debt([](const JobView&) { return true; });
    return choice.take();
}

Steps next_steps(const State& state, Policy policy) {
    const std::vector<Placement> chosen = choose(state, policy);
    std::vector<bool> stays(state.jobs.size(), false);
    for (const Placement& placement : chosen) stays[placement.job] = true;
    Steps steps;
    Room room(state.machine);
    for (JobIndex i = 0; i < state.jobs.size(); ++i) {
        const JobView& job = state.jobs[i];
        if (!job.running) continue;
        room.take(job, job.held);
        if (!job.stopping && !stays[i]) steps.stop.push_back(i);
    }
    for (const Placement& placement : chosen) {
        const JobView& job = state.jobs[placement.job];
        if (job.running) {
            steps.continues.push_back(placement);
        } else if (room.holds(job, placement.gpus)) {
            room.take(job, placement.gpus);
            steps.start.push_back(placement);
        }
    }
    return steps;
}

void account(State& state, double seconds) {
    constexpr double day = 86400;
    std::vector<bool> has_jobs(state.projects.size(), false);
    double work = 0, shares = 0;
    for (const JobView& job : state.jobs) {
        has_jobs[job.project] = true;
        if (!job.running) continue;
        const double done = weight_of(job, state.machine) * seconds;
        state.projects[job.project].debt -= done;
        work += done;
    }
    for (std::size_t p = 0; p < state.projects.size(); ++p)
        if (has_jobs[p]) shares += state.projects[p].share;
    const double most = day * (state.machine.cores + state.machine.gpu_weight * state.machine.gpus);
    for (std::size_t p = 0; p < state.projects.size(); ++p) {
        Project& project = state.projects[p];
        if (has_jobs[p]) project.debt += work * project.share / shares;
        project.debt = std::clamp(project.debt, -most, most);
    }
}

}  // namespace tessera::queue

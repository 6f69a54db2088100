#include "queue/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::queue {

namespace {

/// A job that has arrived and not ended; its view is the element of State::jobs with its index.
struct Active {
    SimulatedJob job;
    double left = 0;       ///< s of work, with the start-up of this start
    double ran = 0;        ///< s since this start
    double stops = never;  ///< when it reaches the tile's end at which it stops
    bool has_run = false;
};

class Simulation {
  public:
    Simulation(const State& start, std::vector<SimulatedJob> jobs, Policy policy, double until)
        : state_(start), policy_(policy), until_(until), coming_(std::move(jobs)) {
        state_.jobs.clear();
        std::ranges::stable_sort(coming_, std::greater{}, &SimulatedJob::arrives);
        state_.now = first_ = coming_.empty() ? 0 : coming_.back().arrives;
        did_.resize(state_.projects.size());
        owed_.resize(state_.projects.size());
        measures_.core_seconds.resize(state_.projects.size());
        measures_.gpu_seconds.resize(state_.projects.size());
    }

    Measures run() {
        while (state_.now < until_ && !(coming_.empty() && active_.empty())) {
            arrive();
            decide();
            advance(std::min(next_event(), until_));
            leave();
        }
        return finished();
    }

  private:
    void arrive() {
        while (!coming_.empty() && coming_.back().arrives <= state_.now) {
            active_.push_back({coming_.back(), coming_.back().seconds});
            state_.jobs.push_back(coming_.back().job);
            coming_.pop_back();
        }
    }

    void decide() {
        const Steps steps = next_steps(state_, policy_);
        for (const std::size_t i : steps.stop) {
            state_.jobs[i].stopping = true;
            const double tile = active_[i].job.tile;
            const double begun = tile > 0 ? std::fmod(active_[i].ran, tile) : 0;
            active_[i].stops = state_.now + (begun > 0 ? tile - begun : 0);
            ++measures_.preemptions;
        }
        for (const Placement& placement : steps.continues)
            state_.jobs[placement.job].protected_until = placement.protected_until;
        for (const Placement& placement : steps.start) {
            JobView& view = state_.jobs[placement.job];
            Active& active = active_[placement.job];
            view.running = true;
            view.held = placement.gpus;
            view.protected_until = placement.protected_until;
            active.ran = 0;
            if (std::exchange(active.has_run, true)) active.left += active.job.start_up;
        }
    }

    double next_event() const {
        // As in the runner: a deadline may become urgent although nothing happens.
        double next = state_.now + state_.slice / 10;
        if (!coming_.empty()) next = std::min(next, coming_.back().arrives);
        for (std::size_t i = 0; i < active_.size(); ++i) {
            if (!state_.jobs[i].running) continue;
            next = std::min({next, state_.now + active_[i].left, active_[i].stops});
            if (state_.jobs[i].protected_until > state_.now)
                next = std::min(next, state_.jobs[i].protected_until);
        }
        return next;
    }

    void advance(double next) {
        const double seconds = next - state_.now;
        for (std::size_t i = 0; i < active_.size(); ++i) {
            JobView& view = state_.jobs[i];
            if (!view.running) continue;
            active_[i].left -= seconds;
            active_[i].ran += seconds;
            // Nobody knows how long a job takes that has taken longer than predicted.
            view.seconds_left = std::max(view.seconds_left - seconds, 1.0);
            measures_.core_seconds[view.project] += view.cores * seconds;
            measures_.gpu_seconds[view.project] += view.gpus * seconds;
        }
        note_shares(seconds);
        account(state_, seconds);
        state_.now = next;
    }

    /// Adds what was done and owed while several projects had jobs.
    void note_shares(double seconds) {
        std::vector<double> work(state_.projects.size()), shares(state_.projects.size());
        double all_work = 0, all_shares = 0;
        for (const JobView& job : state_.jobs) {
            shares[job.project] = state_.projects[job.project].share;
            if (!job.running) continue;
            work[job.project] += weight_of(job, state_.machine) * seconds;
            all_work += weight_of(job, state_.machine) * seconds;
        }
        for (const double share : shares) all_shares += share;
        if (std::ranges::count_if(shares, [](double share) { return share > 0; }) < 2) return;
        for (std::size_t p = 0; p < shares.size(); ++p) {
            did_[p] += work[p];
            owed_[p] += all_work * shares[p] / all_shares;
        }
    }

    /// Jobs that have ended go, and those that have reached the end of a tile wait again.
    void leave() {
        for (std::size_t i = active_.size(); i-- > 0;) {
            JobView& view = state_.jobs[i];
            if (active_[i].left <= 1e-9) {
                end(active_[i].job);
                active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(i));
                state_.jobs.erase(state_.jobs.begin() + static_cast<std::ptrdiff_t>(i));
            } else if (view.stopping && active_[i].stops <= state_.now) {
                view.running = view.stopping = false;
                view.held.clear();
                active_[i].stops = never;
            }
        }
    }

    void end(const SimulatedJob& job) {
        ++ended_;
        measures_.mean_turnaround += state_.now - job.arrives;
        if (job.job.deadline < never) {
            ++measures_.with_deadline;
            measures_.missed += state_.now > job.job.deadline;
        }
    }

    Measures finished() {
        Measures m = measures_;
        m.makespan = state_.now - first_;
        m.mean_turnaround /= std::max(ended_, 1);
        double cores = 0, gpus = 0, all = 0, squares = 0;
        for (std::size_t p = 0; p < did_.size(); ++p) {
            cores += m.core_seconds[p];
            gpus += m.gpu_seconds[p];
            all += did_[p];
        }
        for (std::size_t p = 0; p < did_.size(); ++p)
            squares += (did_[p] - owed_[p]) * (did_[p] - owed_[p]);
        if (all > 0)
            m.share_violation = std::sqrt(squares / static_cast<double>(did_.size())) / all;
        m.idle_cores = 1 - cores / (state_.machine.cores * m.makespan);
        if (state_.machine.gpus > 0) m.idle_gpus = 1 - gpus / (state_.machine.gpus * m.makespan);
        return m;
    }

    State state_;
    Policy policy_;
    double until_, first_ = 0;
    std::vector<SimulatedJob> coming_;  ///< the next one last
    std::vector<Active> active_;
    std::vector<double> did_, owed_;
    int ended_ = 0;
    Measures measures_;
};

}  // namespace

Measures simulate(const State& start, std::vector<SimulatedJob> jobs, Policy policy, double until) {
    return Simulation(start, std::move(jobs), policy, until).run();
}

}  // namespace tessera::queue

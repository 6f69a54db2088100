#include "queue/late_jobs.hpp"

#include <algorithm>

namespace tessera::queue {

namespace {

bool has_future_deadline(const JobView& job, double now) {
    return job.deadline < never && job.deadline > now;
}

double last_deadline(const State& state) {
    double last = state.now;
    for (const JobView& job : state.jobs)
        if (job.deadline < never) last = std::max(last, job.deadline);
    return last;
}

/// Lets the chosen jobs run, and all others wait.
void place(State& state) {
    const std::vector<Placement> chosen = choose(state, Policy::shares);
    for (JobView& job : state.jobs) job.running = false;
    for (const Placement& placement : chosen) {
        JobView& job = state.jobs[placement.job];
        job.running = true;
        job.held = placement.gpus;
        job.protected_until = placement.protected_until;
    }
}

double next_event(const State& state, double horizon) {
    double next = horizon;
    for (const JobView& job : state.jobs) {
        if (!job.running) continue;
        next = std::min(next, state.now + job.seconds_left);
        if (job.protected_until > state.now) next = std::min(next, job.protected_until);
    }
    return next;
}

}  // namespace

std::vector<std::size_t> late_under_shares(const State& state) {
    constexpr int most_steps = 500;  // beyond them, what has not ended counts as late
    constexpr double slices = 50;    // at most, so that far deadlines cost no more than near ones
    const double horizon = last_deadline(state);
    if (horizon <= state.now) return {};
    State future = state;
    future.slice = std::max(state.slice, (horizon - state.now) / slices);
    std::vector<std::size_t> index;  // of the jobs that are left, in `state`
    for (std::size_t i = 0; i < future.jobs.size(); ++i) {
        future.jobs[i].stopping = false;
        index.push_back(i);
    }
    std::vector<double> end(state.jobs.size(), never);
    for (int step = 0; step < most_steps && future.now < horizon; ++step) {
        place(future);
        const double next = next_event(future, horizon);
        account(future, next - future.now);
        for (JobView& job : future.jobs)
            if (job.running) job.seconds_left -= next - future.now;
        future.now = next;
        for (std::size_t i = future.jobs.size(); i-- > 0;) {
            // The rounding of a clock that counts seconds since 1970.
            if (future.jobs[i].seconds_left > 1e-6) continue;
            end[index[i]] = future.now;
            future.jobs.erase(future.jobs.begin() + static_cast<std::ptrdiff_t>(i));
            index.erase(index.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    std::vector<std::size_t> late;
    for (std::size_t i = 0; i < state.jobs.size(); ++i)
        if (has_future_deadline(state.jobs[i], state.now) &&
            end[i] + state.slice > state.jobs[i].deadline)
            late.push_back(i);
    return late;
}

}  // namespace tessera::queue

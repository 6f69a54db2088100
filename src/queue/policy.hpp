// Which jobs run now. These are pure functions of what is known about the machine, the projects
// and the jobs; the runner and the simulation both call them (docs/method/queue.md).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::queue {

constexpr double never = std::numeric_limits<double>::infinity();

enum class Policy {
    first_come,            ///< in the order of arrival; nothing is preempted
    shares,                ///< weighted round robin: the project with the greatest debt is next
    earliest_deadline,     ///< jobs with deadlines first, the earliest at the front; then shares
    shares_and_deadlines,  ///< shares, but first the jobs that would miss their deadlines so
};

struct Machine {
    int cores = 1;
    int gpus = 0;
    double gpu_weight = 32;  ///< cores that a GPU counts for in the shares
};

struct Project {
    double share = 1;
    double debt = 0;  ///< work that it is owed, in core-seconds; negative if it had too much
};

constexpr int any_gpu = -1;

struct JobView {
    std::int64_t id = 0;  ///< in the order of arrival
    std::size_t project = 0;
    int cores = 1;
    int gpus = 0;
    int gpu = any_gpu;  ///< the only GPU that will do
    int priority = 0;   ///< within the project; greater is first
    double deadline = never;
    double seconds_left = never;  ///< predicted; `never` if nobody has predicted it
    bool running = false;
    bool stopping = false;       ///< running, but asked to stop at its next tile
    double protected_until = 0;  ///< of a running job: the end of its time slice
    std::vector<int> held{};     ///< GPUs of a running job
};

struct State {
    double now = 0;
    double slice = 600;  ///< s that a job runs before another project's may take its place
    Machine machine;
    std::vector<Project> projects;
    std::vector<JobView> jobs;
};

struct Placement {
    std::size_t job = 0;  ///< its index in State::jobs
    std::vector<int> gpus{};
    double protected_until = 0;
};

/// The work of a job a second, in cores.
double weight_of(const JobView& job, const Machine& machine);

/// Whether an empty machine has room for the job.
bool fits(const JobView& job, const Machine& machine);

/// The jobs that shall run now, the most important first. They fit on the machine together. Jobs
/// that are stopping are left out, and their room is given away.
std::vector<Placement> choose(const State& state, Policy policy);

/// What leads from the jobs that run to the chosen ones.
struct Steps {
    std::vector<std::size_t> stop;     ///< running jobs to stop at their next tile
    std::vector<Placement> start;      ///< waiting jobs for which there is room already
    std::vector<Placement> continues;  ///< running jobs that stay, with their time slices
};

Steps next_steps(const State& state, Policy policy);

/// `seconds` pass. Every project with jobs is owed its share of the work that was done, and has
/// had what its own jobs did. No debt exceeds a day of the whole machine.
void account(State& state, double seconds);

}  // namespace tessera::queue

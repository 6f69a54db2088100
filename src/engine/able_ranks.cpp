#include "engine/able_ranks.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "core/terminal.hpp"
#include "guarded_workload.hpp"
#include "kokkos_kernels/device/device_binding.hpp"
#include "mpi/mpi_error.hpp"

namespace tessera::engine {

namespace {

std::vector<RankRecord>& left_out() {
    static std::vector<RankRecord> ranks;
    return ranks;
}

/// Of one rank, for all.
struct Found {
    bool able = true;
    RankRecord row;
    FixedString<320> problem;
};

Found not_able(const std::string& problem) {
    Found found;
    found.able = false;
    found.row.host = host_name();
    found.row.fate = "device did not start";
    found.problem = problem;
    return found;
}

Found look_at_device(const mpi::Communicator& world, const std::string& devices) {
    const auto problem = kernels::device_problem(devices, world.split_shared().rank());
    if (!problem) return {};
    return not_able("its device cannot start (" + *problem + "): see nvidia-smi there");
}

/// Why `start` has failed for want of memory or for its device; other exceptions pass.
std::optional<Error> failure_of(const std::function<void()>& start) {
    try {
        guard_stage(Stage::start, start);
        return {};
    } catch (const TileFailure& failure) {
        return Error("its device cannot start", failure.what(),
                     "use one with more free memory or another --device", failure.exit_code());
    } catch (const Error& error) {
        if (error.code() != ExitCode::resources) throw;
        return error;
    }
}

void note_left_out(const std::vector<Found>& all, bool speaks) {
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (all[rank].able) continue;
        left_out().push_back(all[rank].row);
        if (speaks)
            print_line(stderr, fmt::format("warning: rank {} on {} is left out: {}", rank,
                                           all[rank].row.host.str(), all[rank].problem.str()));
    }
}

/// Collective.
int run_without_the_others(const mpi::Communicator& world, const Found& mine,
                           const std::function<int(const mpi::Communicator&)>& command) {
    const std::size_t before = left_out().size();
    note_left_out(world.allgather(mine), world.is_root());
    const mpi::Communicator team = world.split(mine.able ? 0 : 1, world.rank());
    int code = 0;
    std::exception_ptr failure;
    try {
        if (mine.able) code = command(team);
    } catch (const mpi::SharedError&) {
        failure = std::current_exception();  // anything else is this rank's alone and ends the job
    }
    left_out().resize(before);  // a later search may fit these ranks
    world.rethrow_together(failure);
    return code;
}

}  // namespace

int run_on_able_ranks(const mpi::Communicator& world, const std::string& devices,
                      const std::function<int(const mpi::Communicator&)>& command) {
    const Found mine = look_at_device(world, devices);
    const auto able = world.allreduce_sum(mine.able ? 1 : 0);
    if (able == 0 || able == world.size()) return command(world);
    return run_without_the_others(world, mine, command);
}

int run_where_started(const mpi::Communicator& world, const std::function<void()>& start,
                      const std::function<int(const mpi::Communicator&)>& command) {
    std::optional<Error> failure;
    world.together([&] { failure = failure_of(start); });
    const auto able = world.allreduce_sum(failure ? 0 : 1);
    if (able == world.size()) return command(world);
    if (able == 0) world.rethrow_together(std::make_exception_ptr(*failure));
    return run_without_the_others(world, failure ? not_able(failure->what()) : Found{}, command);
}

const std::vector<RankRecord>& ranks_left_out() { return left_out(); }

}  // namespace tessera::engine

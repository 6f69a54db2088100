#include "cli/able_ranks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <string>

#include "kokkos_kernels/device.hpp"
#include "mpi/mpi_error.hpp"

namespace tessera::cli {

namespace {

std::vector<RankRecord>& left_out() {
    static std::vector<RankRecord> ranks;
    return ranks;
}

/// Of one rank, for all.
struct Found {
    bool able = true;
    RankRecord row;
    FixedString<192> problem;
};

Found look_at_device(const mpi::Communicator& world) {
    const auto problem = kernels::device_problem(world.split_shared().rank());
    Found found;
    if (!problem) return found;
    char host[64] = "";
    gethostname(host, sizeof(host) - 1);
    found.able = false;
    found.row.host = std::string(host);
    found.row.fate = "device did not start";
    found.problem = *problem;
    return found;
}

void note_left_out(const std::vector<Found>& all, bool speaks) {
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (all[rank].able) continue;
        left_out().push_back(all[rank].row);
        if (speaks)
            fmt::print(stderr,
                       "warning: rank {} on {} is left out, its device cannot start ({}): see "
                       "nvidia-smi there\n",
                       rank, all[rank].row.host.str(), all[rank].problem.str());
    }
}

}  // namespace

int run_on_able_ranks(const mpi::Communicator& world,
                      const std::function<int(const mpi::Communicator&)>& command) {
    const Found mine = look_at_device(world);
    const auto able = world.allreduce_sum(mine.able ? 1 : 0);
    if (able == 0 || able == world.size()) return command(world);
    note_left_out(world.allgather(mine), world.is_root());
    const mpi::Communicator team = world.split(mine.able ? 0 : 1, world.rank());
    int code = 0;
    std::exception_ptr failure;
    try {
        if (mine.able) code = command(team);
    } catch (const mpi::SharedError&) {
        failure = std::current_exception();  // anything else is this rank's alone and ends the job
    }
    world.rethrow_together(failure);
    return code;
}

const std::vector<RankRecord>& ranks_left_out() { return left_out(); }

}  // namespace tessera::cli

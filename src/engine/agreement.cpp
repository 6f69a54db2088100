#include "engine/agreement.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "core/fixed_string.hpp"
#include "engine/build_record.hpp"
#include "mpi/mpi_error.hpp"

namespace tessera::engine {

namespace {

/// What one rank tells the others where they do not agree.
struct Told {
    FixedString<64> host;
    FixedString<128> mine;
};

}  // namespace

std::string program_build() { return program_version() + " " + program_revision(); }

void require_same(const mpi::Communicator& world, const std::string& what, const std::string& mine,
                  const std::string& what_to_do) {
    const auto hash = static_cast<std::int64_t>(io::journal_key(mine).value);
    if (world.allreduce_min(hash) == world.allreduce_max(hash)) return;
    char host[64] = "";
    gethostname(host, sizeof(host) - 1);
    const auto all = world.allgather(Told{host, mine});
    std::size_t other = 1;
    while (all[other].mine == all[0].mine) ++other;
    throw mpi::SharedError(fmt::format("rank {} on {} has another {} than rank 0 on {}", other,
                                       all[other].host.str(), what, all[0].host.str()),
                           fmt::format("{}, not {}", all[other].mine.str(), all[0].mine.str()),
                           what_to_do, ExitCode::usage);
}

io::RunIdentity agreed_identity(const mpi::Communicator& world, const std::string& workload,
                                const std::string& input_sha256, std::int64_t tiles_total) {
    require_same(world, "input", input_sha256,
                 "see that all nodes read the same files and options");
    require_same(world, "number of tiles", std::to_string(tiles_total), "please report this");
    return {workload, input_sha256, program_build(), tiles_total};
}

}  // namespace tessera::engine

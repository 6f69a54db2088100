#include "support/faults.hpp"

#include <signal.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <span>
#include <sstream>
#include <thread>

#include "core/error.hpp"
#include "engine/guarded_workload.hpp"
#include "kokkos_kernels/device/device_guard.hpp"

namespace tessera::test {

namespace {

using Reason = TileFailure::Reason;

bool known(const std::string& kind) {
    for (const char* name : {"slow",
                             "pause",
                             "not-finite",
                             "memory",
                             "memory-once",
                             "error",
                             "error-after",
                             "lost",
                             "lost-after",
                             "refine-lost-after",
                             "load-lost-after",
                             "rank-lost-after",
                             "start-lost-after",
                             "start-memory",
                             "kill-after",
                             "no-start",
                             "hang-after",
                             "stop-after",
                             "doze",
                             "wrong-every"})
        if (kind == name) return true;
    return false;
}

Fault parse_fault(const std::string& text) {
    std::istringstream in(text);
    std::string rank, value;
    Fault fault;
    std::getline(in, rank, '/');
    std::getline(in, fault.kind, '/');
    std::getline(in, value);
    if (rank.empty() || !known(fault.kind) || value.empty())
        throw Error("'" + text + "' is no fault", "TESSERA_TEST_FAULTS",
                    "see tests/support/faults.hpp");
    fault.rank = rank == "*" ? -1 : std::atoi(rank.c_str());
    fault.value = std::atof(value.c_str());
    return fault;
}

void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/// What strikes before a tile is computed.
void strike(const Fault& fault, const Tile& tile, bool smaller, std::int64_t finished) {
    const bool this_tile = tile.id.value == static_cast<std::int64_t>(fault.value);
    const bool this_many = finished == static_cast<std::int64_t>(fault.value);
    if (this_tile && fault.kind == "not-finite") throw TileFailure(Reason::not_finite, "on order");
    if (this_tile && (fault.kind == "memory" || (fault.kind == "memory-once" && !smaller)))
        throw TileFailure(Reason::out_of_memory, "on order");
    if (this_tile && fault.kind == "error") throw TileFailure(Reason::device_error, "on order");
    if ((this_tile && fault.kind == "lost") || (this_many && fault.kind == "lost-after"))
        break_device();
    if (this_many && fault.kind == "kill-after") raise(SIGKILL);
    while (this_many && fault.kind == "hang-after") sleep(1);
    if (this_many && fault.kind == "stop-after") raise(SIGSTOP);
    if (fault.kind == "doze" && finished == 0) sleep(fault.value);
}

constexpr std::size_t stages = 5;

/// What is lost there, or finds no memory.
void strike_other(Stage stage, const Fault& fault, std::int64_t finished) {
    constexpr const char* kinds[stages] = {"", "refine-lost-after", "load-lost-after",
                                           "rank-lost-after", "start-lost-after"};
    if (stage == Stage::start && fault.kind == "start-memory")
        throw TileFailure(Reason::out_of_memory, "on order");
    if (fault.kind == kinds[static_cast<std::size_t>(stage)] &&
        finished == static_cast<std::int64_t>(fault.value))
        break_device();
}

/// The fault of one tile, which has no number that would be its alone where many pairs are docked.
class OneError {
  public:
    void strike(const Fault& fault, bool smaller, std::int64_t finished) {
        if (fault.kind != "error-after" || finished != static_cast<std::int64_t>(fault.value) ||
            smaller != struck_)
            return;
        struck_ = true;
        throw TileFailure(Reason::device_error, "on order");
    }

  private:
    bool struck_ = false;
};

/// Changes the last bit of the first value in answer number N, 2 N and so on.
void spoil(std::span<double> values, std::int64_t answer, double every) {
    if (values.empty() || answer % static_cast<std::int64_t>(every) != 0) return;
    values.front() = std::bit_cast<double>(std::bit_cast<std::uint64_t>(values.front()) ^ 1u);
}

}  // namespace

std::vector<Fault> parse_faults(const std::string& text) {
    std::vector<Fault> faults;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, ',');) faults.push_back(parse_fault(word));
    return faults;
}

void install_faults(const std::vector<Fault>& faults, int rank) {
    std::vector<Fault> mine;
    for (const Fault& fault : faults)
        if (fault.rank < 0 || fault.rank == rank) mine.push_back(fault);
    for (const Fault& fault : mine)
        if (fault.kind == "no-start") kernels::pretended_faults().problem = "on order";
    const auto all_finished = std::make_shared<std::array<std::int64_t, stages>>();
    tile_hook().before = [mine, all_finished, errors = std::vector<OneError>(mine.size())](
                             Stage stage, const Tile& tile, bool smaller) mutable {
        const std::int64_t finished = (*all_finished)[static_cast<std::size_t>(stage)];
        for (std::size_t i = 0; i < mine.size(); ++i) {
            if (stage == Stage::main) {
                strike(mine[i], tile, smaller, finished);
                errors[i].strike(mine[i], smaller, finished);
            } else {
                strike_other(stage, mine[i], finished);
            }
        }
    };
    tile_hook().answered = [mine, answers = std::int64_t{0}](std::span<double> values) mutable {
        ++answers;
        for (const Fault& fault : mine)
            if (fault.kind == "wrong-every") spoil(values, answers, fault.value);
    };
    tile_hook().after = [mine, all_finished](Stage stage, const Tile&, double seconds) {
        ++(*all_finished)[static_cast<std::size_t>(stage)];
        if (stage != Stage::main && stage != Stage::refinement) return;
        for (const Fault& fault : mine) {
            if (fault.kind == "slow") sleep((fault.value - 1) * seconds);
            if (fault.kind == "pause") sleep(fault.value);
        }
    };
}

}  // namespace tessera::test

#include "docking/pairs/pair_finisher.hpp"

#include <chrono>

#include "docking/pairs/host_threads.hpp"
#include "engine/guarded_workload.hpp"

namespace tessera::docking {

SortedPoses PairFinisher::sort_and_refine(int pair, SearchedPair& searched,
                                          const RefinementAlone& refinement) {
    const DockInput input = settings_.pair(pair).input;
    const PreparedDocking& prepared = *searched.prepared;
    SortedPoses sorted;
    searched.record.time_phase("rank", [&] {
        guard_stage(Stage::finish,
                    [&] { sorted.lists = device_.sort(prepared, input.sets, searched.best); });
    });
    require_restrained_poses(prepared, sorted.lists);
    sorted.consensus = searched.record.time_phase("refine", [&] {
        return second_stage(settings_.device.backend, input, prepared, sorted.lists, refinement);
    });
    return sorted;
}

void PairFinisher::write(int pair, SearchedPair searched, SortedPoses sorted,
                         std::shared_ptr<DiskJournal<kernels::PoseRecord>> journal) {
    writing_.push_back({pair, writer_.run([this, pair, searched = std::move(searched),
                                           sorted = std::move(sorted), journal]() mutable {
                            use_threads(settings_.device.threads);
                            auto written =
                                settings_.write(settings_.pair(pair), *searched.prepared,
                                                std::move(sorted), std::move(searched.record));
                            if (journal) journal->remove();
                            return written;
                        })});
}

std::optional<PairOutcome> PairFinisher::next_written() {
    if (writing_.empty() ||
        writing_.front().file.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        return std::nullopt;
    Writing written = std::move(writing_.front());
    writing_.pop_front();
    PairOutcome outcome{written.pair, std::nullopt, {}};
    outcome.failure = attempt([&] {
        try {
            outcome.written = written.file.get();
        } catch (const Error& error) {
            if (error.code() == ExitCode::resources)  // the disk would fail for other pairs, too
                throw RunError(FinishedLine{error.what()}, error.code());
            throw;
        }
    });
    return outcome;
}

}  // namespace tessera::docking

#include "likelihood/fit/point_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "core/run_host.hpp"
#include "likelihood/fit/point_messages.hpp"
#include "likelihood/fit/point_worker.hpp"
#include "mpi/mailbox.hpp"
#include "mpi/request_server.hpp"

namespace tessera::likelihood {

namespace {

using Clock = std::chrono::steady_clock;
using Kind = PointMessage::Kind;
using Bytes = std::span<const std::byte>;

constexpr std::size_t tasks_at_once = 2;  // of a rank: one that it evaluates and one that waits
constexpr double wanted_seconds = 0.02;   // of a task: long beside a message, short for the search
constexpr std::size_t largest_task = 32;  // enough to fill a device

class HandingOut {
  public:
    HandingOut(const PointRank& mine, PointDesk& desk, PointShares& shares)
        : mine_(mine),
          desk_(desk),
          shares_(shares),
          mailbox_(mine.world),
          worker_(mine.objective, mine.run),
          ranks_(static_cast<std::size_t>(mine.world.size())),
          largest_(std::clamp<std::size_t>(static_cast<std::size_t>(desk.search().size()) /
                                               (4 * ranks_.size()),
                                           1, largest_task)) {
        shares_.points.assign(ranks_.size(), 0);
        shares_.busy_seconds.assign(ranks_.size(), 0);
    }

    bool run(const std::function<void()>& watch) {
        const auto begun = Clock::now();
        safely([&] { hand_out_until_over(watch); });
        shares_.seconds = detail::seconds_between(begun, Clock::now());
        for (int rank = 1; rank < mine_.world.size(); ++rank)
            mailbox_.send(rank, packed({Kind::end, mine_.tiles_total, 0, 0, {}}));
        mailbox_.finish([&](int source, Bytes bytes) { safely([&] { receive(source, bytes); }); });
        mine_.world.rethrow_together(failure_);
        return !stopped_;
    }

  private:
    struct Rank {
        std::map<std::int64_t, std::vector<std::int64_t>> tasks;  ///< points of each by its tile
        std::size_t next_size = 1;                                ///< points of the next task
    };

    /// Keeps the first exception. The search ends then.
    template <class Work>
    void safely(const Work& work) {
        try {
            work();
        } catch (...) {
            if (!failure_) failure_ = std::current_exception();
        }
    }

    bool ends() const { return failure_ || stopped_ || broken_; }

    void hand_out_until_over(const std::function<void()>& watch) {
        mpi::RequestServer server([this] { safely([this] { exchange(); }); },
                                  mpi::between_requests);
        while (true) {
            exchange();
            stopped_ = stopped_ || mine_.stop;
            if (ends() || desk_.done()) return;
            watch();
            obey_run_host();
            if (const auto task = next_task(0)) {
                server.open();
                std::exception_ptr failed;
                PointAnswer answer;
                try {
                    answer = worker_.answer(*task);
                } catch (...) {
                    failed = std::current_exception();
                }
                server.close();
                if (failed) std::rethrow_exception(failed);
                take(0, answer);
            } else {
                worker_.wait();
            }
        }
    }

    /// Takes the answers that have arrived, and keeps the other ranks busy.
    void exchange() {
        if (ends()) return;
        mailbox_.poll([this](int source, Bytes bytes) { receive(source, bytes); });
        for (int rank = 1; rank < mine_.world.size(); ++rank)
            while (ranks_[static_cast<std::size_t>(rank)].tasks.size() < tasks_at_once) {
                const auto task = next_task(rank);
                if (!task) break;
                const auto points = std::ssize(task->points);
                const auto dimension = std::ssize(task->points.front());
                mailbox_.send(rank,
                              packed({Kind::task, task->tile, points, dimension, {}}, &*task));
            }
    }

    std::optional<PointTask> next_task(int rank) {
        Rank& its = ranks_[static_cast<std::size_t>(rank)];
        const auto errands = desk_.next(rank, its.next_size);
        if (errands.empty()) return {};
        PointTask task{mine_.tiles_total++, {}, {}};
        for (const Proposal& one : errands) {
            task.numbers.push_back(one.number);
            task.points.push_back(one.at);
        }
        its.tasks[task.tile] = task.numbers;
        return task;
    }

    void receive(int source, Bytes bytes) {
        const PointMessage head = taken_from<PointMessage>(bytes, 1).front();
        stopped_ = stopped_ || head.kind == Kind::stop;
        broken_ = broken_ || head.kind == Kind::broken;
        if (head.kind == Kind::answer)
            take(source, {head.tile, head.report, taken_from<double>(bytes, head.points)});
    }

    void take(int rank, const PointAnswer& answer) {
        Rank& its = ranks_[static_cast<std::size_t>(rank)];
        const auto numbers = std::move(its.tasks.extract(answer.tile).mapped());
        const PointReport& report = answer.report;
        if (report.leaves) desk_.leave(rank);
        if (answer.values.size() != numbers.size()) {
            for (const std::int64_t number : numbers)
                desk_.give_back(rank, number, report.failed, report.fault, report.detail.str());
            return;
        }
        const auto points = static_cast<double>(numbers.size());
        shares_.points[static_cast<std::size_t>(rank)] += std::ssize(numbers);
        shares_.busy_seconds[static_cast<std::size_t>(rank)] += report.seconds;
        const double enough = wanted_seconds * points / std::max(report.seconds, 1e-6);
        its.next_size = std::clamp(static_cast<std::size_t>(std::min(enough, 1e6)), std::size_t{1},
                                   std::min(2 * its.next_size, largest_));
        for (std::size_t i = 0; i < numbers.size(); ++i)
            desk_.take(rank, numbers[i], answer.values[i]);
    }

    const PointRank& mine_;
    PointDesk& desk_;
    PointShares& shares_;
    mpi::Mailbox mailbox_;
    PointWorker worker_;
    std::vector<Rank> ranks_;
    std::size_t largest_;
    std::exception_ptr failure_;
    bool stopped_ = false, broken_ = false;
};

class Serving {
  public:
    explicit Serving(const PointRank& mine)
        : mine_(mine), mailbox_(mine.world), worker_(mine.objective, mine.run) {}

    void run() {
        {
            mpi::RequestServer server([this] { poll(); }, mpi::between_requests);
            while (true) {
                poll();
                if (ended_) break;
                tell_if_stopped();
                if (tasks_.empty() || told_stop_ || failure_)
                    worker_.wait();
                else
                    answer_next(server);
            }
        }
        mailbox_.finish([](int, Bytes) {});
        mine_.world.rethrow_together(failure_);
    }

  private:
    void poll() {
        mailbox_.poll([this](int, Bytes bytes) {
            const PointMessage head = taken_from<PointMessage>(bytes, 1).front();
            if (head.kind == Kind::task) tasks_.push_back(task_in(head, bytes));
            if (head.kind != Kind::end) return;
            ended_ = true;
            mine_.tiles_total = head.tile;
        });
    }

    void tell_if_stopped() {
        if (!mine_.stop || told_stop_) return;
        told_stop_ = true;
        mailbox_.send(0, packed({Kind::stop, 0, 0, 0, {}}));
    }

    void answer_next(mpi::RequestServer& server) {
        const PointTask task = std::move(tasks_.front());
        tasks_.pop_front();
        PointAnswer answer{task.tile, {}, {}};
        if (left_) {
            answer.report.leaves = true;
        } else {
            server.open();
            try {
                answer = worker_.answer(task);
            } catch (...) {
                failure_ = std::current_exception();
            }
            server.close();
        }
        left_ = left_ || answer.report.leaves;
        if (failure_)
            mailbox_.send(0, packed({Kind::broken, 0, 0, 0, {}}));
        else
            mailbox_.send(
                0, packed({Kind::answer, task.tile, std::ssize(answer.values), 0, answer.report},
                          nullptr, answer.values));
    }

    const PointRank& mine_;
    mpi::Mailbox mailbox_;
    PointWorker worker_;
    std::deque<PointTask> tasks_;
    std::exception_ptr failure_;
    bool ended_ = false, told_stop_ = false, left_ = false;
};

}  // namespace

bool hand_out_points(const PointRank& mine, PointDesk& desk, const std::function<void()>& watch,
                     PointShares& shares) {
    return HandingOut(mine, desk, shares).run(watch);
}

void serve_points(const PointRank& mine) { Serving(mine).run(); }

}  // namespace tessera::likelihood

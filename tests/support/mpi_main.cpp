// main() of the tests that run on several ranks. A test fails everywhere if it fails anywhere; the
// ranks speak to each other only when a test has ended on all of them.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <memory>

namespace {

int rank_in_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// Rank 0 prints what happened on every rank; the others keep quiet.
class EveryRankListener : public testing::EmptyTestEventListener {
  public:
    explicit EveryRankListener(std::unique_ptr<testing::TestEventListener> printer)
        : printer_(std::move(printer)) {}

    int failed_tests() const { return failed_tests_; }

  private:
    void OnTestProgramStart(const testing::UnitTest& program) override {
        if (rank_in_world() == 0) printer_->OnTestProgramStart(program);
    }
    void OnTestStart(const testing::TestInfo& test) override {
        if (rank_in_world() == 0) printer_->OnTestStart(test);
    }
    void OnTestPartResult(const testing::TestPartResult& part) override {
        if (rank_in_world() == 0)
            printer_->OnTestPartResult(part);
        else if (part.failed())
            std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank_in_world(),
                         part.file_name() ? part.file_name() : "?", part.line_number(),
                         part.summary());
    }
    void OnTestEnd(const testing::TestInfo& test) override {
        const int failed_here = test.result()->Failed() ? 1 : 0;
        int ranks_failed = 0;
        MPI_Allreduce(&failed_here, &ranks_failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        failed_tests_ += ranks_failed > 0 ? 1 : 0;
        if (rank_in_world() != 0) return;
        printer_->OnTestEnd(test);
        if (ranks_failed > 0 && !failed_here)
            std::printf("[  FAILED  ] %s.%s on %d other rank(s)\n", test.test_suite_name(),
                        test.name(), ranks_failed);
    }
    void OnTestIterationStart(const testing::UnitTest& program, int iteration) override {
        if (rank_in_world() == 0) printer_->OnTestIterationStart(program, iteration);
    }
    void OnTestIterationEnd(const testing::UnitTest& program, int iteration) override {
        if (rank_in_world() != 0) return;
        printer_->OnTestIterationEnd(program, iteration);
        const int elsewhere = failed_tests_ - program.failed_test_count();
        if (elsewhere > 0)
            std::printf("[  FAILED  ] %d of these test(s) on other ranks only\n", elsewhere);
    }
    void OnTestProgramEnd(const testing::UnitTest& program) override {
        if (rank_in_world() == 0) printer_->OnTestProgramEnd(program);
    }

    std::unique_ptr<testing::TestEventListener> printer_;
    int failed_tests_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    testing::InitGoogleTest(&argc, argv);
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    auto* listener = new EveryRankListener(std::unique_ptr<testing::TestEventListener>(
        listeners.Release(listeners.default_result_printer())));
    listeners.Append(listener);  // owned by GoogleTest from here on
    const int failed_here = RUN_ALL_TESTS();
    const int failed = failed_here != 0 || listener->failed_tests() > 0 ? 1 : 0;
    MPI_Finalize();
    return failed;
}

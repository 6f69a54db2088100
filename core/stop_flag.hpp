// A request of the scheduler or the user to stop, as a flag that the work loop reads between tiles.
#pragma once

#include <signal.h>

#include <array>
#include <atomic>
#include <csignal>
#include <memory>

namespace tessera {

/// Turns SIGTERM, SIGUSR1 (Slurm's warning) and SIGINT into a flag. The destructor restores the
/// former handlers. Only one object may exist at a time. A second SIGINT ends the program at once.
class StopFlag {
  public:
    StopFlag() {
        requested_.store(false);
        received_.store(0);
        for (std::size_t i = 0; i < signals.size(); ++i) listen(signals[i], &former_[i]);
    }

    ~StopFlag() {
        requested_.store(false);
        for (std::size_t i = 0; i < signals.size(); ++i)
            sigaction(signals[i], &former_[i], nullptr);
    }

    StopFlag(const StopFlag&) = delete;
    StopFlag& operator=(const StopFlag&) = delete;

    /// Installs the handlers again after libraries may have replaced them. Starting MPI may load an
    /// OpenCL library (hwloc searches for devices), whose LLVM then swallows SIGUSR1.
    void listen_again() const {
        for (const int number : signals)
            if (number != signal_number())
                listen(number, nullptr);  // a second SIGINT still ends the program
    }

    /// For code that cannot be passed the flag. False if no StopFlag exists.
    static bool asked() { return requested_.load(); }

    /// The flag that run_tiles reads between tiles.
    const std::atomic<bool>& flag() const { return requested_; }
    bool is_set() const { return requested_.load(); }
    /// The first signal that arrived, or 0 if none did.
    int signal_number() const { return received_.load(); }

  private:
    static constexpr std::array<int, 3> signals{SIGTERM, SIGUSR1, SIGINT};

    // Constant-initialised and lock-free: the only things a signal handler may touch.
    static inline std::atomic<bool> requested_{false};
    static inline std::atomic<int> received_{0};
    static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

    static void listen(int number, struct sigaction* former) {
        struct sigaction action = {};
        action.sa_handler = &StopFlag::note;
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_RESTART | (number == SIGINT ? SA_RESETHAND : 0);
        sigaction(number, &action, former);
    }

    static void note(int number) {
        int none = 0;
        received_.compare_exchange_strong(none, number);
        requested_.store(true);
    }

    std::array<struct sigaction, 3> former_{};
};

/// Removes `stop` and restores the former signal handlers, for a program that has nothing left to
/// stop. A signal that has arrived meanwhile is raised again.
inline void let_go(std::unique_ptr<StopFlag> stop) {
    const int number = stop->signal_number();
    stop.reset();
    if (number != 0) std::raise(number);
}

}  // namespace tessera

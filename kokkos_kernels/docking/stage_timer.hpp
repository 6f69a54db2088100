// Times the stages of a search.
#pragma once

#include <chrono>

namespace tessera::kernels {

/// Waits for the device before and after a stage if times are wanted, otherwise never.
template <class Space>
class StageTimer {
  public:
    explicit StageTimer(const Space& space) : space_(space) {}

    void measure(bool on) { on_ = on; }

    /// Does the work and adds its time.
    template <class Work>
    void operator()(double& seconds, const Work& work) const {
        if (!on_) return work();
        space_.fence("tessera::docking: stage begins");
        const auto start = std::chrono::steady_clock::now();
        work();
        space_.fence("tessera::docking: stage ends");
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

  private:
    Space space_;
    bool on_ = false;
};

}  // namespace tessera::kernels

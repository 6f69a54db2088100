// Evaluates the points that this rank is handed in an asynchronous search.
#pragma once

#include "engine/run_tiles.hpp"
#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/point_messages.hpp"

namespace tessera::likelihood {

class PointWorker {
  public:
    /// `run` receives what this rank has done. Both must outlive the worker.
    PointWorker(Objective& objective, TileRun<double>& run) : objective_(objective), run_(run) {}

    /// A task is a tile. A failure of the device is part of the answer.
    PointAnswer answer(const PointTask& task);
    /// Sleeps for a moment, which counts as waiting.
    void wait();

  private:
    Objective& objective_;
    TileRun<double>& run_;
    int failures_in_a_row_ = 0;
};

}  // namespace tessera::likelihood

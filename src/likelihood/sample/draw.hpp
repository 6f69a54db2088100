// One draw of a chain, with what the sampler tells about it.
#pragma once

#include <cstdint>

#include "likelihood/sample/posterior.hpp"

namespace tessera::likelihood {

/// A point with its density.
struct State {
    Point at;  ///< over the unbounded coordinates
    Density density;
};

/// What became of the jump to another hill before a draw; `none`: none was tried.
enum class JumpOutcome : std::int8_t { none, refused, accepted };

struct Draw {
    State state;
    double acceptance = 0;  ///< mean acceptance probability of the trajectory; ensemble: 0 or 1
    double step_size = 0;   ///< 0: not a NUTS draw, as what follows
    double energy = 0;      ///< at the beginning of the trajectory
    std::int32_t depth = 0, leaps = 0;
    bool diverging = false;
    JumpOutcome jump = JumpOutcome::none;
    std::int32_t hill = 0;  ///< to which the draw belongs, if several are known
};

/// Random numbers of a sampling: the second part of their keys, after the seed.
enum class Purpose : std::uint64_t { start = 101, nuts, ensemble, jump, scout, hill };

}  // namespace tessera::likelihood

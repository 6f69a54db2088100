// Parameter sets as the compressed quadrature's kernels take them.
#pragma once

#include "likelihood/compressed/wedge.hpp"

namespace tessera::likelihood {

/// `auxiliary`: integrals of 1, g, g^2 over the wedge less its cuts.
kernels::compressed::BackgroundValues background_values(const StreamModel& model,
                                                        const std::array<double, 3>& auxiliary);
kernels::compressed::StreamValues stream_values(const StreamModel& model, std::size_t stream,
                                                const std::array<Vec3, 3>& frame);

/// Whether the model has the thick disk; whether its background is a share of 1 (2018).
bool has_disk(const StreamModel& model);

}  // namespace tessera::likelihood

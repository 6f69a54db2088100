// Parameter sets in the form that the kernels of the compressed integration use.
#pragma once

#include "likelihood/compressed/wedge.hpp"

namespace tessera::likelihood {

/// `auxiliary`: integrals of 1, g and g^2 over the wedge minus its cuts.
kernels::compressed::BackgroundValues background_values(const StreamModel& model,
                                                        const std::array<double, 3>& auxiliary);
kernels::compressed::StreamValues stream_values(const StreamModel& model, std::size_t stream,
                                                const std::array<Vec3, 3>& frame);

}  // namespace tessera::likelihood

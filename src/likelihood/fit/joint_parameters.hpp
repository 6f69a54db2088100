// The parameters of wedges that are fitted together: one halo for all, and the streams and the
// observables of each wedge.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/streams/fit_settings.hpp"
#include "likelihood/fit/stream_space.hpp"

namespace tessera::likelihood {

/// The name in a fit of several wedges: "stream1.mu" of the wedge 1, counted from 0, is
/// "wedge2.stream1.mu". The halo is that of all wedges and keeps its names, and the populations of
/// the background are "wedge2.background.population1.pm.mean".
std::string joint_name(const std::string& name, std::size_t wedge);

/// The name that a parameter of a fit has in one of its wedges, or nothing if it is of another
/// wedge. A name without a wedge is a name in every wedge.
std::optional<std::string> name_in_wedge(const std::string& name, std::size_t wedge);

/// The same of a free parameter, which may be one that streams of several wedges share.
std::optional<std::string> name_in_wedge(const FreeParameter& free, std::size_t wedge);

/// Whether a user may mean the parameter by `name`: its own name, its name in one of its wedges,
/// with or without the wedge, or "all".
bool is_called(const FreeParameter& free, const std::string& name);

/// The free parameters of all wedges: those of the background, as the settings of the first wedge
/// say, and those of the streams, as the settings of their own wedge say. What streams share is one
/// parameter. For one wedge they are its free_parameters(). `settings` may name parameters with or
/// without a wedge. `files` are the parameter files. Throws Error as free_parameters() does, and if
/// the wedges cannot have one background or cannot share what they should.
std::vector<FreeParameter> joint_parameters(std::span<const StreamModel> models,
                                            std::span<const io::FitSettings> settings,
                                            std::span<const std::string> files);

/// All other parameters that the likelihood depends on, those of the background once.
std::vector<FixedParameter> joint_fixed_parameters(std::span<const StreamModel> models,
                                                   const std::vector<FreeParameter>& free);

}  // namespace tessera::likelihood

// What the parts of the module tessera._kernels share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/streams/stream_parameters.hpp"

namespace tessera::python {

/// Arrays of doubles without gaps. Python converts nothing: the callers do.
using Numbers = nanobind::ndarray<double, nanobind::c_contig, nanobind::device::cpu>;
using Constants = nanobind::ndarray<const double, nanobind::c_contig, nanobind::device::cpu>;

inline std::span<const double> span_of(const Constants& array) {
    return {array.data(), array.size()};
}
inline std::span<double> span_of(const Numbers& array) { return {array.data(), array.size()}; }

/// An array of NumPy that owns the values.
template <class Value>
nanobind::ndarray<nanobind::numpy, Value> array_of(std::vector<Value> values,
                                                   std::initializer_list<std::size_t> shape) {
    auto* const held = new std::vector<Value>(std::move(values));
    const nanobind::capsule owner(
        held, [](void* one) noexcept { delete static_cast<std::vector<Value>*>(one); });
    return {held->data(), shape, owner};
}

using Name = std::optional<std::string>;

/// The choices of a model by their words.
inline io::ModelChoices model_choices(const Name& model, const Name& turnoff, const Name& profile) {
    io::ModelChoices choices;
    if (model) choices.model = io::model_named(*model, "model");
    if (turnoff) choices.turnoff = io::turnoff_named(*turnoff, "turnoff");
    if (profile) choices.profile = io::profile_named(*profile, "background_profile");
    return choices;
}

/// The class OrbitalEvaluation.
void bind_wavefunctions(nanobind::module_& m);
/// dock, fit and simulate.
void bind_runs(nanobind::module_& m);

}  // namespace tessera::python

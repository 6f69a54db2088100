// Reads checked values from a result file. A file may be damaged or manipulated. These functions
// ensure the requested shape, finite values and the requested range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"

namespace tessera::io {

/// The length of a dataset that has one axis.
std::uint64_t length_of(const h5::Group& group, const std::string& name);

/// Reads a dataset that must have this shape, which is checked before anything is read.
template <h5::Number T>
std::vector<T> read_shaped(const h5::Group& group, const std::string& name, const h5::Shape& shape);

/// Throws Error unless a dataset has this shape and all its values lie in the file. Reads none.
void require_stored(const h5::Group& group, const std::string& name, const h5::Shape& shape);

/// Reads texts along one axis, with the same check.
std::vector<std::string> read_shaped_texts(const h5::Group& group, const std::string& name,
                                           std::uint64_t count);
std::vector<std::string> read_shaped_texts(const h5::Group& group, const std::string& name,
                                           const h5::Shape& shape);

/// As read_shaped(), and all values must be finite.
std::vector<double> read_finite(const h5::Group& group, const std::string& name,
                                const h5::Shape& shape);

/// The first value of a dataset that has one axis, which must be finite; nothing if it is empty.
std::optional<double> read_first_finite(const h5::Group& group, const std::string& name);

/// As read_shaped(), and all values must lie between `least` and `most`.
template <h5::Number T>
std::vector<T> read_within(const h5::Group& group, const std::string& name, const h5::Shape& shape,
                           T least, T most);

/// The same for attributes.
double finite_attribute(const h5::Object& object, const std::string& name);
std::vector<double> finite_attributes(const h5::Object& object, const std::string& name,
                                      std::uint64_t count);
std::int64_t attribute_within(const h5::Object& object, const std::string& name, std::int64_t least,
                              std::int64_t most);

}  // namespace tessera::io

// Parts of a result file with what readers rely on. A file may be damaged, or made to mislead: what comes
// out of these functions has the shape, is finite and lies in the range that was asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"

namespace tessera::io {

/// The length of a dataset of one axis.
std::uint64_t length_of(const h5::Group& group, const std::string& name);

/// Values of a dataset of this very shape, which is asked for before anything is read.
template <h5::Number T>
std::vector<T> read_shaped(const h5::Group& group, const std::string& name, const h5::Shape& shape);

/// Likewise texts, of one axis.
std::vector<std::string> read_shaped_texts(const h5::Group& group, const std::string& name,
                                           std::uint64_t count);

/// Likewise, none of them infinite or not a number.
std::vector<double> read_finite(const h5::Group& group, const std::string& name,
                                const h5::Shape& shape);

/// Likewise, all of them from `least` to `most`.
template <h5::Number T>
std::vector<T> read_within(const h5::Group& group, const std::string& name, const h5::Shape& shape,
                           T least, T most);

/// Attributes likewise.
double finite_attribute(const h5::Object& object, const std::string& name);
std::vector<double> finite_attributes(const h5::Object& object, const std::string& name,
                                      std::uint64_t count);
std::int64_t attribute_within(const h5::Object& object, const std::string& name, std::int64_t least,
                              std::int64_t most);

}  // namespace tessera::io

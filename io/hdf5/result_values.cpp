#include "io/hdf5/result_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "io/text/counted.hpp"

namespace tessera::io {

namespace {

/// "/docking/poses/balanced/score", or "/docking@grid" for an attribute.
std::string path_of(const h5::Object& object, char separator, const std::string& name) {
    return fmt::format("'{}{}{}'", object.name() == "/" ? "" : object.name(), separator, name);
}

std::string text_of(const h5::Shape& shape) {
    return shape.empty() ? "one value" : fmt::format("{}", fmt::join(shape, " x "));
}

std::string values_of(const h5::Shape& shape) {
    if (shape.empty()) return text_of(shape);
    return text_of(shape) + (shape == h5::Shape{1} ? " value" : " values");
}

h5::Dataset shaped(const h5::Group& group, const std::string& name, const h5::Shape& shape) {
    h5::Dataset dataset = group.open_dataset(name);
    if (dataset.shape() != shape)
        group.refuse(
            path_of(group, '/', name),
            fmt::format("it has {} instead of {}", values_of(dataset.shape()), text_of(shape)));
    return dataset;
}

void require_finite(const h5::Object& object, const std::string& path,
                    const std::vector<double>& values) {
    const auto found = std::ranges::find_if(values, [](double x) { return !std::isfinite(x); });
    if (found != values.end())
        object.refuse(path, fmt::format("its value {} is {}", found - values.begin() + 1, *found));
}

template <class T>
void require_within(const h5::Object& object, const std::string& path, const std::vector<T>& values,
                    T least, T most) {
    const auto found = std::ranges::find_if(values, [&](T x) { return x < least || x > most; });
    if (found == values.end()) return;
    object.refuse(path, fmt::format("its value {} is {}, not between {} and {}",
                                    found - values.begin() + 1, *found, least, most));
}

}  // namespace

std::uint64_t length_of(const h5::Group& group, const std::string& name) {
    const h5::Shape shape = group.open_dataset(name).shape();
    if (shape.size() != 1)
        group.refuse(path_of(group, '/', name), fmt::format("it has {} instead of one",
                                                            counted(shape.size(), "axis", "axes")));
    return shape[0];
}

template <h5::Number T>
std::vector<T> read_shaped(const h5::Group& group, const std::string& name,
                           const h5::Shape& shape) {
    return shaped(group, name, shape).read<T>().values;
}

void require_stored(const h5::Group& group, const std::string& name, const h5::Shape& shape) {
    shaped(group, name, shape).require_stored();
}

std::vector<std::string> read_shaped_texts(const h5::Group& group, const std::string& name,
                                           std::uint64_t count) {
    return read_shaped_texts(group, name, h5::Shape{count});
}

std::vector<std::string> read_shaped_texts(const h5::Group& group, const std::string& name,
                                           const h5::Shape& shape) {
    return shaped(group, name, shape).read_strings();
}

std::vector<double> read_finite(const h5::Group& group, const std::string& name,
                                const h5::Shape& shape) {
    auto values = read_shaped<double>(group, name, shape);
    require_finite(group, path_of(group, '/', name), values);
    return values;
}

std::optional<double> read_first_finite(const h5::Group& group, const std::string& name) {
    if (length_of(group, name) == 0) return {};
    const double first = group.open_dataset(name).read_first();
    require_finite(group, path_of(group, '/', name), {first});
    return first;
}

template <h5::Number T>
std::vector<T> read_within(const h5::Group& group, const std::string& name, const h5::Shape& shape,
                           T least, T most) {
    auto values = read_shaped<T>(group, name, shape);
    require_within(group, path_of(group, '/', name), values, least, most);
    return values;
}

double finite_attribute(const h5::Object& object, const std::string& name) {
    return finite_attributes(object, name, 1).front();
}

std::vector<double> finite_attributes(const h5::Object& object, const std::string& name,
                                      std::uint64_t count) {
    auto values = object.read_attributes<double>(name);
    const std::string path = path_of(object, '@', name);
    if (values.size() != count)
        object.refuse(
            path, fmt::format("it has {} instead of {}", counted(values.size(), "value"), count));
    require_finite(object, path, values);
    return values;
}

std::int64_t attribute_within(const h5::Object& object, const std::string& name, std::int64_t least,
                              std::int64_t most) {
    const auto value = object.read_attribute<std::int64_t>(name);
    require_within(object, path_of(object, '@', name), std::vector{value}, least, most);
    return value;
}

#define TESSERA_INSTANTIATE(T)                                                                     \
    template std::vector<T> read_shaped(const h5::Group&, const std::string&, const h5::Shape&);   \
    template std::vector<T> read_within(const h5::Group&, const std::string&, const h5::Shape&, T, \
                                        T);
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(std::int8_t)
TESSERA_INSTANTIATE(std::int32_t)
TESSERA_INSTANTIATE(std::int64_t)
TESSERA_INSTANTIATE(std::uint32_t)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::io

#include "likelihood/fit/shared_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/hdf5/result_values.hpp"
#include "likelihood/fit/joint_parameters.hpp"

namespace tessera::likelihood {

namespace {

constexpr const char* group_name = "shared";

/// "stream1.sigma" of a parameter of a stream.
bool is_of_stream(const std::string& name) {
    const std::size_t dot = name.find('.');
    return name.starts_with("stream") && dot > 6 && dot < 15 &&
           name.find_first_not_of("0123456789", 6) == dot;
}

}  // namespace

void write_shared(io::h5::Group& fit, const std::vector<FreeParameter>& free) {
    std::vector<std::int32_t> parameter, wedge;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < free.size(); ++i)
        for (const ParameterPlace& place : free[i].places) {
            parameter.push_back(static_cast<std::int32_t>(i));
            wedge.push_back(static_cast<std::int32_t>(place.wedge + 1));
            names.push_back(place.name);
        }
    if (names.empty()) return;
    io::h5::Group group = fit.group(group_name);
    group.write("parameter", parameter);
    group.write("wedge", wedge);
    group.write_strings("names", names);
}

void read_shared(const io::h5::Group& fit, std::int64_t wedges, std::vector<FreeParameter>& free) {
    if (!fit.contains(group_name)) return;
    const io::h5::Group group = fit.open_group(group_name);
    const std::uint64_t count = io::length_of(group, "names");
    const auto last = static_cast<std::int32_t>(free.size()) - 1;
    const auto parameter = io::read_within<std::int32_t>(group, "parameter", {count}, 0, last);
    const auto wedge = io::read_within<std::int32_t>(group, "wedge", {count}, 1,
                                                     static_cast<std::int32_t>(wedges));
    const auto names = io::read_shaped_texts(group, "names", count);
    for (std::size_t k = 0; k < count; ++k) {
        if (!is_of_stream(names[k])) group.refuse("names", "they are not of streams");
        FreeParameter& one = free[static_cast<std::size_t>(parameter[k])];
        one.places.push_back({static_cast<std::size_t>(wedge[k] - 1), 0, names[k]});
        one.wedge = one.places.front().wedge;
    }
}

std::vector<std::string> shared_by(const FreeParameter& free) {
    std::vector<std::string> names;
    for (const ParameterPlace& place : free.places)
        names.push_back(joint_name(place.name, place.wedge));
    return names;
}

std::string wedges_text(const FreeParameter& free) {
    std::string text;
    for (std::size_t k = 0; k < free.places.size(); ++k)
        text += fmt::format("{}{}",
                            k == 0                        ? ", of wedges "
                            : k + 1 == free.places.size() ? " and "
                                                          : ", ",
                            free.places[k].wedge + 1);
    return text;
}

}  // namespace tessera::likelihood

#include "io/streams/shared_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

constexpr std::array<std::string_view, 6> fields{"epsilon", "mu", "r", "theta", "phi", "sigma"};

std::string_view object_of(std::string_view name) { return name.substr(0, name.find('.')); }
std::string_view field_of(std::string_view name) {
    const std::size_t dot = name.find('.');
    return dot == std::string_view::npos ? "" : name.substr(dot + 1);
}

/// Whether this is "stream" and a number from 1, as the streams of a file are called.
bool is_numbered(std::string_view object) {
    if (!object.starts_with("stream")) return false;
    const std::string_view number = object.substr(6);
    return !number.empty() && number.size() < 8 && number.front() != '0' &&
           number.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Names of streams stand before the point of a parameter's name.
bool is_word(std::string_view name) {
    return !name.empty() && name.size() <= 40 && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    });
}

}  // namespace

void share_everywhere(const std::vector<std::string>& parameters,
                      std::vector<SharedParameter>& shared) {
    for (const std::string& name : parameters) {
        std::erase_if(shared, [&](const SharedParameter& one) { return one.parameter == name; });
        shared.push_back({name, name});
    }
}

void validate(const std::vector<SharedParameter>& shared, const std::string& where) {
    for (const SharedParameter& one : shared) {
        const auto refuse_one = [&](const std::string& why, const std::string& what_to_do) {
            throw Error(fmt::format("cannot share {}, '{}'", one_line(one.parameter, 40),
                                    one_line(one.place.empty() ? where : one.place)),
                        why, what_to_do);
        };
        const std::string_view object = object_of(one.name), field = field_of(one.parameter);
        if (!is_numbered(object_of(one.parameter)) ||
            std::ranges::find(fields, field) == fields.end())
            refuse_one("it is not a parameter of a stream", "name it as in stream1.sigma");
        if (!is_word(object) || field_of(one.name) != field || object == "background" ||
            object.starts_with("wedge") ||
            (object.starts_with("stream") && object != object_of(one.parameter)))
            refuse_one("a stream cannot be called '" + one_line(object, 40) + "'",
                       "choose a name of letters and digits that is not another parameter's");
        const auto same = [&](const auto& of) {
            return std::ranges::count_if(
                shared, [&](const SharedParameter& other) { return of(other) == of(one); });
        };
        if (same([](const SharedParameter& other) { return other.parameter; }) > 1 ||
            same([](const SharedParameter& other) { return other.name; }) > 1)
            refuse_one("it is shared twice", "share it under one name");
        if (field != "theta" && field != "phi") continue;
        const std::string_view partner = field == "theta" ? "phi" : "theta";
        const bool both = std::ranges::any_of(shared, [&](const SharedParameter& other) {
            return object_of(other.name) == object && field_of(other.name) == partner &&
                   object_of(other.parameter) == object_of(one.parameter);
        });
        if (!both)
            refuse_one(
                fmt::format("theta and phi are one direction, and {} is not shared", partner),
                "share both of them");
    }
}

}  // namespace tessera::io

#include "likelihood/fit/asynchronous_record.hpp"

#include <fmt/format.h>

#include <limits>

#include "io/hdf5/result_values.hpp"
#include "io/text/counted.hpp"

namespace tessera::likelihood {

namespace {

constexpr const char* group_name = "asynchronous_search";

}  // namespace

void write_asynchronous(io::h5::Group& fit, const AsynchronousRecord& record) {
    if (record.asynchronous) fit.write_attribute("asynchronous", std::uint8_t{1});
    fit.write_attribute("verified", record.verified);
    fit.write_attribute("mismatched", record.mismatched);
    if (!record.asynchronous) {
        fit.write("wrong_answers", record.wrong);
        return;
    }
    if (record.shares.points.empty()) return;  // an earlier attempt has done the search
    io::h5::Group group = fit.group(group_name);
    group.write_attribute("seconds", record.shares.seconds);
    group.write("points", record.shares.points);
    group.write("busy_seconds", record.shares.busy_seconds);
    group.write("wrong_answers", record.wrong);
}

std::optional<AsynchronousRecord> read_asynchronous(const io::h5::Group& fit) {
    const bool asynchronous = fit.has_attribute("asynchronous");
    if (!asynchronous && !fit.has_attribute("verified")) return {};
    constexpr auto any = std::numeric_limits<std::int64_t>::max();
    AsynchronousRecord record;
    record.asynchronous = asynchronous;
    record.verified = io::attribute_within(fit, "verified", 0, any);
    record.mismatched = io::attribute_within(fit, "mismatched", 0, record.verified);
    if (!asynchronous)
        record.wrong = io::read_within<std::int64_t>(fit, "wrong_answers",
                                                     {io::length_of(fit, "wrong_answers")}, 0, any);
    if (!fit.contains(group_name)) return record;
    const io::h5::Group group = fit.open_group(group_name);
    const std::uint64_t ranks = io::length_of(group, "points");
    record.shares.seconds = io::finite_attribute(group, "seconds");
    record.shares.points =
        io::read_within<std::int64_t>(group, "points", {ranks}, 0, any / (1 << 20));
    record.shares.busy_seconds = io::read_finite(group, "busy_seconds", {ranks});
    record.wrong = io::read_within<std::int64_t>(group, "wrong_answers", {ranks}, 0, any);
    return record;
}

std::string asynchronous_text(const AsynchronousRecord& record) {
    std::string text;
    if (record.asynchronous)
        text = "The search was asynchronous: another run of the command may find other bits, and "
               "where there are several maxima, another one.\n";
    if (record.verified > 0)
        text += fmt::format(
            "{} verified, {} mismatched.\n",
            io::counted(record.verified, "point of the search was", "points of the search were"),
            record.mismatched);
    const auto& points = record.shares.points;
    const std::size_t ranks = record.asynchronous ? points.size() : record.wrong.size();
    for (std::size_t rank = 0; rank < record.wrong.size() && rank < ranks; ++rank)
        if (record.wrong[rank] > 0)
            text += fmt::format("Rank {} gave {}.\n", rank,
                                io::counted(record.wrong[rank], "wrong answer"));
    return text;
}

}  // namespace tessera::likelihood

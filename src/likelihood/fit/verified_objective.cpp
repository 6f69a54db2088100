#include "likelihood/fit/verified_objective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace tessera::likelihood {

namespace {

constexpr std::uint64_t verification = std::uint64_t{1} << 35;  // key of the random numbers

bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

bool VerifiedObjective::Checked::agreed() const { return same_bits(values[0], values[1]); }

VerifiedObjective::VerifiedObjective(RankedObjective& inner, Options options)
    : inner_(inner), options_(std::move(options)) {
    record_.asynchronous = false;
    record_.wrong.assign(options_.ranks.size(), 0);
    const auto warn = std::exchange(options_.warn, {});
    options_.warn = [this, warn](const std::string& line) {
        record_.warnings.push_back(line);
        warn(line);
    };
    for (const PointGuest& one : options_.ranks)
        if (std::ranges::count(options_.ranks, one.kind, &PointGuest::kind) == 1)
            options_.warn(alone_warning(one));
}

std::vector<double> VerifiedObjective::values(std::span<const Point> points) {
    std::vector<double> found = inner_.values(points);
    std::vector<Checked> chosen = choose(found);
    std::vector<Checked*> open;
    open.reserve(chosen.size());
    for (Checked& one : chosen) open.push_back(&one);
    ask_again(points, open);
    std::erase_if(open, [](const Checked* one) { return one->agreed(); });
    ask_again(points, open);
    record_.verified += std::ssize(chosen);
    record_.mismatched += std::ssize(open);
    for (const Checked* one : open) found[one->place] = judge(*one);
    return found;
}

std::vector<VerifiedObjective::Checked>
VerifiedObjective::choose(const std::vector<double>& found) {
    std::vector<Checked> chosen;
    const std::vector<int>& by = inner_.answered_by();
    for (std::size_t i = 0; i < found.size(); ++i) {
        RandomStream random{options_.seed, verification, asked_++};
        if (random.uniform() < options_.verify) chosen.push_back({i, {by[i]}, {found[i]}});
    }
    return chosen;
}

void VerifiedObjective::ask_again(std::span<const Point> points, std::vector<Checked*>& checked) {
    if (checked.empty()) return;
    std::vector<Point> asked;
    std::vector<int> ranks;
    for (const Checked* one : checked) {
        asked.push_back(points[one->place]);
        ranks.push_back(next_rank(*one, static_cast<int>(ranks.size())));
    }
    const std::vector<double> again = inner_.values_on(asked, ranks);
    const std::vector<int>& by = inner_.answered_by();
    for (std::size_t i = 0; i < checked.size(); ++i) {
        checked[i]->ranks.push_back(by[i]);
        checked[i]->values.push_back(again[i]);
    }
}

/// A rank of the same kind that has not answered; the ranks take turns. Without one, the rank of
/// the kind with the fewest wrong answers.
int VerifiedObjective::next_rank(const Checked& one, int turn) const {
    const auto& guests = options_.ranks;
    const int kind = guests[static_cast<std::size_t>(one.ranks[0])].kind;
    std::vector<int> fresh, again;
    for (int rank = 0; rank < std::ssize(guests); ++rank) {
        if (guests[static_cast<std::size_t>(rank)].kind != kind || !inner_.has_rank(rank)) continue;
        const bool answered = std::ranges::find(one.ranks, rank) != one.ranks.end();
        (answered ? again : fresh).push_back(rank);
    }
    if (!fresh.empty()) return fresh[static_cast<std::size_t>(turn) % fresh.size()];
    if (again.empty()) return one.ranks[0];  // it has left; its tile is handed on
    return *std::ranges::min_element(
        again, {}, [&](int rank) { return record_.wrong[static_cast<std::size_t>(rank)]; });
}

/// Of three values, the one that two evaluations agree on.
double VerifiedObjective::judge(const Checked& one) {
    for (const auto& [right, wrong] : {std::pair{0u, 1u}, std::pair{1u, 0u}}) {
        if (!same_bits(one.values[right], one.values[2])) continue;
        const auto rank = static_cast<std::size_t>(one.ranks[wrong]);
        const std::int64_t count = ++record_.wrong[rank];
        if (std::has_single_bit(static_cast<std::uint64_t>(count)))
            options_.warn(fmt::format(
                "warning: {} gave a wrong value for a point of the search: two other evaluations "
                "agree, and count; wrong answers of this rank: {}, mismatched points: {} of {} "
                "verified",
                options_.ranks[rank].place, count, record_.mismatched, record_.verified));
        return one.values[2];
    }
    options_.warn("warning: no two evaluations of a point of the search agree; the point is "
                  "rejected");
    return rejected;
}

}  // namespace tessera::likelihood

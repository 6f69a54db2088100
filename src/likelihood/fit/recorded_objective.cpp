#include "likelihood/fit/recorded_objective.hpp"

#include <bit>
#include <cstring>

#include "core/error.hpp"
#include "core/run_host.hpp"

namespace tessera::likelihood {

namespace {

// Where the checksum of each kind of question begins.
constexpr std::uint64_t for_values = 0x9ae16a3b2f90404f, for_slopes = 0xcbf29ce484222325,
                        for_refits = 0x84222325cbf29ce4;

/// FNV-1a over the bits of all coordinates.
std::uint64_t question_of(std::span<const Point> points, std::uint64_t kind) {
    std::uint64_t hash = kind;
    for (const Point& point : points)
        for (const double x : point) {
            hash ^= std::bit_cast<std::uint64_t>(x);
            hash *= 0x100000001b3;
            hash ^= hash >> 32;
        }
    return hash;
}

}  // namespace

RecordedObjective::RecordedObjective(Objective& inner, const std::string& path, io::JournalKey key,
                                     Refitter* refitter)
    : inner_(inner), refitter_(refitter), writer_(path, key) {
    io::read_journal(path, key, [&](io::Record record, bool) {
        Batch batch;
        if (record.size() < sizeof(batch.question))
            throw Error("cannot use the journal '" + path + "'", "one of its records is damaged",
                        "start over with --force", ExitCode::resources);
        std::memcpy(&batch.question, record.data(), sizeof(batch.question));
        const auto rest = record.subspan(sizeof(batch.question));
        batch.numbers.resize(rest.size() / sizeof(double));
        if (!rest.empty()) std::memcpy(batch.numbers.data(), rest.data(), rest.size());
        records_.push_back(std::move(batch));
    });
}

const std::vector<double>* RecordedObjective::remembered(std::uint64_t question,
                                                         std::size_t numbers) {
    if (next_ == records_.size()) return nullptr;
    const Batch& batch = records_[next_++];
    if (batch.question != question || batch.numbers.size() != numbers)
        throw Error("the evaluations differ from their journal at batch " + std::to_string(next_),
                    "the journal is from another kind of processor, or this is a bug",
                    "resume on the machine where the run began, or start over with --force",
                    ExitCode::internal);
    return &batch.numbers;
}

void RecordedObjective::remember(std::uint64_t question, const std::vector<double>& numbers) {
    std::vector<std::byte> bytes(sizeof(question) + numbers.size() * sizeof(double));
    std::memcpy(bytes.data(), &question, sizeof(question));
    if (!numbers.empty())
        std::memcpy(bytes.data() + sizeof(question), numbers.data(),
                    numbers.size() * sizeof(double));
    writer_.append(bytes);
    checkpoint_for_run_host([&] { writer_.sync(); });
}

std::vector<double> RecordedObjective::values(std::span<const Point> points) {
    const std::uint64_t question = question_of(points, for_values);
    if (const auto* known = remembered(question, points.size())) return *known;
    const auto found = inner_.values(points);
    remember(question, found);
    return found;
}

std::vector<Slope> RecordedObjective::slopes(std::span<const Point> points) {
    const std::uint64_t question = question_of(points, for_slopes);
    std::size_t size = 0;
    for (const Point& point : points) size += 1 + point.size();
    std::vector<Slope> found;
    if (const auto* known = remembered(question, size)) {
        auto next = known->begin();
        for (const Point& point : points) {
            const auto end = next + 1 + static_cast<std::ptrdiff_t>(point.size());
            found.push_back({*next, Point(next + 1, end)});
            next = end;
        }
        return found;
    }
    found = inner_.slopes(points);
    std::vector<double> numbers;
    for (const Slope& slope : found) {
        numbers.push_back(slope.value);
        numbers.insert(numbers.end(), slope.gradient.begin(), slope.gradient.end());
    }
    remember(question, numbers);
    return found;
}

std::vector<Refit> RecordedObjective::refits(std::span<const Point> questions) {
    if (questions.empty()) return {};
    const std::uint64_t question = question_of(questions, for_refits);
    const std::size_t dimension = questions.front().size() - 1;
    if (const auto* known = remembered(question, questions.size() * (3 + dimension)))
        return refits_of(*known, dimension);
    std::vector<double> numbers;
    for (const Refit& refit : refitter_->refits(questions)) append_refit(refit, numbers);
    remember(question, numbers);
    return refits_of(numbers, dimension);
}

}  // namespace tessera::likelihood

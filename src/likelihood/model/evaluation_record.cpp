#include "likelihood/model/evaluation_record.hpp"

#include "core/error.hpp"

namespace tessera::likelihood {

namespace {

/// Visits every field in the same order for pack() and unpack().
template <class AnyEvaluation, class Visitor>
void each_field(AnyEvaluation& evaluation, Visitor&& visit) {
    visit(evaluation.background_integral);
    visit(evaluation.search_likelihood);
    visit(evaluation.background_likelihood);
    visit(evaluation.stream_integrals);
    visit(evaluation.stream_only_likelihoods);
    visit(evaluation.error_estimates);
    visit(evaluation.uncut_integrals);
    visit(evaluation.exact_components);
    visit(evaluation.empty_streams);
    visit(evaluation.star_log10_density);
    visit(evaluation.memberships);
    visit(evaluation.gradient);
}

struct Writer {
    std::vector<double>& numbers;
    void operator()(double value) const { numbers.push_back(value); }
    template <class Value>
    void operator()(const std::vector<Value>& values) const {
        numbers.push_back(static_cast<double>(values.size()));
        numbers.insert(numbers.end(), values.begin(), values.end());
    }
};

struct Reader {
    const std::vector<double>& numbers;
    std::size_t at = 0;

    double next() {
        if (at >= numbers.size())
            throw Error("an evaluation from another rank is too short",
                        "the ranks run different builds, or this is a bug",
                        "use the same build on all ranks", ExitCode::internal);
        return numbers[at++];
    }
    void operator()(double& value) { value = next(); }
    template <class Value>
    void operator()(std::vector<Value>& values) {
        for (double left = next(); left > 0; --left) values.push_back(static_cast<Value>(next()));
    }
};

}  // namespace

std::vector<double> pack(const Evaluation& evaluation) {
    std::vector<double> numbers;
    each_field(evaluation, Writer{numbers});
    return numbers;
}

Evaluation unpack(const std::vector<double>& numbers) {
    Evaluation evaluation;
    Reader reader{numbers};
    each_field(evaluation, reader);
    return evaluation;
}

}  // namespace tessera::likelihood

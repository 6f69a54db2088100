// The result of a likelihood run as JSON (declared in result.hpp).
#include <nlohmann/json.hpp>

#include "likelihood/result/result.hpp"

namespace tessera::likelihood {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const WedgeResult& wedge) {
    const Evaluation& e = wedge.evaluation;
    return {{"wedge", wedge.wedge},
            {"parameters", wedge.parameters},
            {"star_file", wedge.stars},
            {"number_of_stars", wedge.number_of_stars},
            {"stars_outside", wedge.stars_outside},
            {"background_integral", e.background_integral},
            {"stream_integrals", e.stream_integrals},
            {"uncut_integrals", e.uncut_integrals},
            {"background_likelihood", e.background_likelihood},
            {"stream_only_likelihoods", e.stream_only_likelihoods},
            {"search_likelihood", e.search_likelihood},
            {"error_estimates", e.error_estimates},
            {"exact_components", e.exact_components},
            {"empty_streams", e.empty_streams},
            {"expected_stars", wedge.expected_stars},
            {"warnings", wedge.warnings}};
}

}  // namespace

std::string to_json(const LikelihoodResult& result) {
    Json json{{"search_likelihood", result.search_likelihood()},
              {"number_of_stars", result.number_of_stars()},
              {"log10_density_sum", result.log10_density_sum()},
              {"wedges", Json::array()}};
    for (const WedgeResult& wedge : result.wedges) json["wedges"].push_back(json_of(wedge));
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera::likelihood

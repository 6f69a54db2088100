// The result of an orbital run as JSON (declared in report.hpp).
#include <nlohmann/json.hpp>

#include "orbitals/result/report.hpp"

namespace tessera::orbitals {

namespace {

using Json = nlohmann::ordered_json;

Json list_of(Vec3 v) { return {v.x, v.y, v.z}; }

Json frame_json(const OrbitalResult& result, std::size_t frame) {
    Json json{{"frame", result.frames[frame]},
              {"atoms", result.nuclei[frame].size()},
              {"orbitals", Json::array()}};
    const std::size_t count = result.labels.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = frame * count + i;
        json["orbitals"].push_back({{"label", result.labels[i]},
                                    {"number", result.numbers[at]},
                                    {"spin", result.spins[i]},
                                    {"energy_hartree", result.energies[at]},
                                    {"occupation", result.occupations[at]},
                                    {"norm", result.norms[at]}});
        if (!result.symmetries.empty()) json["orbitals"].back()["symmetry"] = result.symmetries[at];
    }
    if (!result.density_integrals.empty())
        json["density_integral_electrons"] = result.density_integrals[frame];
    if (!result.density_electrons.empty()) {
        json["density_electrons"] = result.density_electrons[frame];
        json["density_core_grid_error_electrons"] = result.density_core_errors[frame];
    }
    if (!result.spin_integrals.empty())
        json["spin_density_integral_electrons"] = result.spin_integrals[frame];
    for (const StoredCombination& one : result.combinations) {
        Json& entry = json["combinations"][one.name];
        entry["expression"] = one.expression;
        entry[one.of_orbitals ? "norm" : "integral_electrons"] = one.integrals[frame];
        if (one.electrons.empty()) continue;
        entry["electrons"] = one.electrons[frame];
        entry["core_grid_error_electrons"] = one.core_errors[frame];
    }
    if (!result.mean_integrals.empty())
        json["averaged_density_integral_electrons"] = result.mean_integrals[frame];
    return json;
}

}  // namespace

std::string to_json(const OrbitalResult& result) {
    Json json{{"grid",
               {{"shape", result.grid.shape},
                {"spacing_bohr", list_of(result.grid.spacing)},
                {"origin_bohr", list_of(result.grid.origin)}}},
              {"rounded_from_double", result.rounded},
              {"fields", result.fields},
              {"points", result.points},
              {"frames", Json::array()}};
    if (result.largest_error > 0)
        json["rounding"] = {{"largest_error", result.largest_error},
                            {"compression_ratio", result.compression_ratio}};
    for (std::size_t frame = 0; frame < result.frames.size(); ++frame)
        json["frames"].push_back(frame_json(result, frame));
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera::orbitals

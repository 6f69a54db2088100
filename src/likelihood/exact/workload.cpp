#include "likelihood/exact/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "likelihood/exact/kernel_tables.hpp"
#include "likelihood/model/combine.hpp"
#include "likelihood/model/evaluation_checks.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

// Points (nodes of columns) of a tile. A tile takes seconds on one core or milliseconds on a GPU.
// The last quarter of an area has smaller tiles, so that no device waits long for another. A wedge
// of 2e10 points has 74 tiles.
constexpr std::int64_t tile_points = std::int64_t{3} << 28;
constexpr std::int64_t finer = 8;
constexpr std::int64_t column_group = 256;  // columns of a kernel block; tiles have whole groups
constexpr std::int64_t tile_stars = 8192;

std::int64_t columns_of(const io::Area& area) {
    return std::int64_t{area.mu.steps} * area.nu.steps;
}

std::int64_t tile_columns(const StreamModel& model, const io::Area& area, std::int64_t points) {
    const std::int64_t nodes = std::int64_t{area.r.steps} * model.convolve;
    return std::max<std::int64_t>(1, points / (nodes * column_group)) * column_group;
}

/// Cuts the range [begin, end) of the columns of an area, or of the stars.
void cut(std::int32_t wedge, std::int32_t area, std::int64_t begin, std::int64_t end,
         std::int64_t size, std::vector<ExactTile>& tiles) {
    for (const Tile& tile : cut_into_tiles(end - begin, size))
        tiles.push_back({wedge, area, begin + tile.begin, tile.size()});
}

void cut_area(std::int32_t wedge, std::int32_t index, const StreamModel& model,
              const io::Area& area, std::vector<ExactTile>& tiles) {
    const std::int64_t columns = columns_of(area);
    const std::int64_t large = tile_columns(model, area, tile_points);
    const std::int64_t in_large_tiles = columns * 3 / 4 / large * large;
    cut(wedge, index, 0, in_large_tiles, large, tiles);
    cut(wedge, index, in_large_tiles, columns, tile_columns(model, area, tile_points / finer),
        tiles);
}

void require_finite_sums(const WedgeInput& wedge, const ExactTile& work,
                         std::span<const CompensatedSum<double>> sums) {
    const std::int64_t components = 1 + std::ssize(wedge.model.streams);
    for (std::int64_t i = 0; i < std::ssize(sums); ++i) {
        const double sum = sums[static_cast<std::size_t>(i)].result();
        if (std::isfinite(sum)) continue;
        const std::string where = work.area == ExactTile::stars
                                      ? fmt::format("at star {}", work.first + i / components + 1)
                                      : fmt::format("over columns of area {}", work.area);
        throw TileFailure(TileFailure::Reason::not_finite,
                          fmt::format("the density of {} is {} {} of wedge {}",
                                      component_name(static_cast<std::size_t>(i % components)), sum,
                                      where, wedge.model.wedge));
    }
}

}  // namespace

std::vector<ExactTile> cut_exact_tiles(std::span<const WedgeInput> wedges) {
    std::vector<ExactTile> tiles;
    for (std::size_t w = 0; w < wedges.size(); ++w) {
        const StreamModel& model = wedges[w].model;
        const auto wedge = static_cast<std::int32_t>(w);
        cut(wedge, ExactTile::stars, 0, std::ssize(wedges[w].stars), tile_stars, tiles);
        const std::vector<SelectedArea> areas = selected_areas(model);
        for (std::size_t a = 0; a < areas.size(); ++a)
            cut_area(wedge, static_cast<std::int32_t>(a), model, areas[a].cells, tiles);
    }
    return tiles;
}

ExactWorkload::ExactWorkload(std::span<const WedgeInput> wedges, const EvaluatorOptions& options,
                             kernels::Backend backend)
    : wedges_(wedges),
      options_(options),
      tiles_(cut_exact_tiles(wedges)),
      integrator_(kernels::make_wedge_integrator(backend, options.precision)) {}

void ExactWorkload::load(std::int32_t wedge) {
    const StreamModel& model = wedges_[static_cast<std::size_t>(wedge)].model;
    if (wedge != loaded_) {
        loaded_ = -1;
        line_.emplace(model, rule_of(model, options_.quadrature));
        areas_ = selected_areas(model);
        integrator_->load(wedge_tables(model, *line_));
        loaded_ = wedge;
        model_set_ = false;
    }
    if (model_set_) return;
    integrator_->set_model(density_model(model));
    auxiliary_.assign(areas_.size(), 0);
    if (model.background.has_auxiliary())
        for (std::size_t area = 0; area < areas_.size(); ++area) {
            const RadialNodes nodes = area_nodes(areas_[area].cells, *line_);
            auxiliary_[area] = auxiliary_sum(model, nodes);
        }
    model_set_ = true;
}

void ExactWorkload::prepare() {
    if (!wedges_.empty()) load(0);
}

TilePartial<ExactWorkload::Payload> ExactWorkload::run(const Tile& tile) {
    TilePartial<Payload> partial = run_unchecked(tile);
    const ExactTile& work = tiles_.at(static_cast<std::size_t>(tile.id.value));
    require_finite_sums(wedges_[static_cast<std::size_t>(work.wedge)], work, partial.records);
    return partial;
}

TilePartial<ExactWorkload::Payload> ExactWorkload::run_unchecked(const Tile& tile) {
    const ExactTile& work = tiles_.at(static_cast<std::size_t>(tile.id.value));
    load(work.wedge);
    const WedgeInput& wedge = wedges_[static_cast<std::size_t>(work.wedge)];
    return {tile.id, work.area == ExactTile::stars ? star_sums(wedge, work) : column_sums(work)};
}

ExactWorkload::Sums ExactWorkload::column_sums(const ExactTile& work) {
    auto sums = integrator_->integrate(work.area, work.first, work.count);
    const auto area = static_cast<std::size_t>(work.area);
    if (auxiliary_[area] != 0) {
        const io::Cells& nu = areas_[area].cells.nu;
        const std::vector<double>& sky = areas_[area].sky;
        CompensatedSum<double> columns;
        for (std::int64_t c = work.first; c < work.first + work.count; ++c)
            columns.add(nu_weight(nu, static_cast<int>(c % nu.steps)) *
                        (sky.empty() ? 1 : sky[static_cast<std::size_t>(c)]));
        sums[0].add(auxiliary_[area] * columns.result());
    }
    return sums;
}

ExactWorkload::Sums ExactWorkload::star_sums(const WedgeInput& wedge, const ExactTile& work) {
    const std::span<const Star> stars =
        std::span(wedge.stars)
            .subspan(static_cast<std::size_t>(work.first), static_cast<std::size_t>(work.count));
    const std::vector<double> densities = integrator_->star_densities(star_table(stars, *line_));
    const std::size_t components = 1 + wedge.model.streams.size();
    std::vector<CompensatedSum<double>> sums(densities.size());
    for (std::size_t i = 0; i < densities.size(); ++i) sums[i].value = densities[i];
    if (wedge.model.background.has_auxiliary())
        for (std::size_t s = 0; s < stars.size(); ++s) {
            RadialNodes nodes;
            line_->append(stars[s].r, 1, nodes);
            sums[s * components].add(auxiliary_sum(wedge.model, nodes));
        }
    return sums;
}

std::vector<Evaluation>
combine_exact(std::span<const WedgeInput> wedges,
              const std::vector<TilePartial<ExactWorkload::Payload>>& partials, Wanted wanted,
              bool allow_empty_streams) {
    const std::vector<ExactTile> tiles = cut_exact_tiles(wedges);
    std::vector<Evaluation> evaluations;
    std::size_t next = 0;
    for (std::size_t w = 0; w < wedges.size(); ++w) {
        const StreamModel& model = wedges[w].model;
        const std::vector<SelectedArea> parts = selected_areas(model);
        using Sums = std::vector<CompensatedSum<double>>;
        std::vector<Sums> areas(model.areas.size(), Sums(1 + model.streams.size()));
        WedgeSums found;
        for (; next < tiles.size() && tiles[next].wedge == static_cast<std::int32_t>(w); ++next) {
            const Sums& records = partials.at(next).records;
            if (tiles[next].area == ExactTile::stars)
                for (const CompensatedSum<double>& p : records)
                    found.densities.push_back(p.result());
            else
                for (std::size_t k = 0; k < records.size(); ++k)
                    areas[parts[static_cast<std::size_t>(tiles[next].area)].area][k].add(
                        records[k]);
        }
        for (const Sums& area : areas) {
            std::vector<double>& of_area = found.integrals.emplace_back();
            for (const CompensatedSum<double>& sum : area) of_area.push_back(sum.result());
        }
        found.observed = observed_factors(model, wedges[w].stars);
        evaluations.push_back(combine(model, found, wanted, allow_empty_streams));
    }
    return evaluations;
}

}  // namespace tessera::likelihood

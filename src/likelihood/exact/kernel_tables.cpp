#include "likelihood/exact/kernel_tables.hpp"

#include <cmath>
#include <utility>

#include "core/compensated_sum.hpp"
#include "core/units.hpp"
#include "io/streams/stream_profiles.hpp"
#include "likelihood/model/disks.hpp"
#include "likelihood/model/halo.hpp"
#include "likelihood/model/selected_areas.hpp"
#include "likelihood/model/track.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

void append_angle(double degrees, std::vector<double>& cosines, std::vector<double>& sines) {
    cosines.push_back(std::cos(degrees * units::degree));
    sines.push_back(std::sin(degrees * units::degree));
}

kernels::AreaTables area_tables(const io::Area& area, const LineOfSight& line) {
    kernels::AreaTables tables;
    RadialNodes nodes = area_nodes(area, line);
    tables.radius = std::move(nodes.radius);
    tables.weight = std::move(nodes.weight);
    for (int i = 0; i < area.mu.steps; ++i)
        append_angle(cell_centre(area.mu, i) - survey_node, tables.mu_cos, tables.mu_sin);
    for (int i = 0; i < area.nu.steps; ++i) {
        append_angle(cell_centre(area.nu, i), tables.nu_cos, tables.nu_sin);
        tables.nu_weight.push_back(nu_weight(area.nu, i));
    }
    return tables;
}

}  // namespace

QuadratureRule rule_of(const StreamModel& model, Quadrature quadrature) {
    return quadrature == Quadrature::milkyway ? milkyway_rule(model.convolve)
                                              : gauss_legendre_rule(model.convolve);
}

kernels::WedgeTables wedge_tables(const StreamModel& model, const LineOfSight& line) {
    kernels::WedgeTables tables;
    tables.frame = stripe_axes(model.wedge).axes;
    tables.sun = {-sun_r0, 0, 0};
    for (SelectedArea& part : selected_areas(model)) {
        tables.areas.push_back(area_tables(part.cells, line));
        tables.areas.back().sky = std::move(part.sky);
    }
    return tables;
}

kernels::DensityModel density_model(const StreamModel& model) {
    kernels::DensityModel density;
    kernels::BackgroundDensity& background = density.background;
    background.shape = halo_of(model);
    if (has_disk(model)) {
        background.halo = model.background.epsilon;
        background.disk = 1 - model.background.epsilon;
    }
    background.disks = disks_of(model);
    for (const io::Stream& stream : model.streams) {
        const StreamCylinder c = cylinder(stream, model.wedge);
        density.streams.push_back({c.axis, c.centre, c.inverse_two_sigma2, track_pieces(stream)});
    }
    return density;
}

kernels::StarTable star_table(std::span<const Star> stars, const LineOfSight& line) {
    kernels::StarTable table;
    for (const LineOfSight::Node& node : line.table()) {
        table.offset.push_back(node.offset);
        table.ratio.push_back(node.ratio);
        table.weight.push_back(node.weight);
    }
    table.direction.resize(stars.size());
    for (std::vector<double>* values : {&table.distance, &table.along, &table.faint, &table.bright})
        values->resize(stars.size());
#pragma omp parallel for if (stars.size() > 1024)
    for (std::size_t s = 0; s < stars.size(); ++s) {
        const LineOfSight::Seen seen = line.seen_at(stars[s].r);
        table.direction[s] = galactic_direction(stars[s].l, stars[s].b).unit;
        table.distance[s] = stars[s].r;
        table.along[s] = seen.along;
        table.faint[s] = seen.faint;
        table.bright[s] = seen.bright;
    }
    return table;
}

double auxiliary_sum(const StreamModel& model, const RadialNodes& nodes) {
    const io::Background& b = model.background;
    if (!b.has_auxiliary() || !io::background_depends_on(model, "a")) return 0;
    CompensatedSum<double> sum;
    for (std::size_t i = 0; i < nodes.radius.size(); ++i) {
        const double g = nodes.magnitude[i];
        sum.add(nodes.weight[i] * ((b.a * g + b.b) * g + b.c));
    }
    return sum.result() * (model.model == io::Model::classic ? 1 : b.epsilon);
}

}  // namespace tessera::likelihood

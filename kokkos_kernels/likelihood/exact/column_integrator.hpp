// The exact mode in one arithmetic on one kind of device: memory, launches, copies.
#pragma once

#include <string>

#include "core/error.hpp"
#include "kokkos_kernels/likelihood/exact/integrate_columns.hpp"
#include "kokkos_kernels/likelihood/exact/skip_bounds.hpp"
#include "kokkos_kernels/likelihood/exact/star_sums.hpp"
#include "kokkos_kernels/likelihood/exact/wedge_integrator.hpp"

namespace tessera::kernels {

/// Tables of an area on the device, and the host's data for the bounds.
template <class Real, class Device>
struct DeviceArea {
    using Space = typename Device::execution_space;

    DeviceArea(const Space& space, const AreaTables& tables, const std::array<Vec3, 3>& frame)
        : host(tables), sorted(tables) {
        offset = to_device<Real, Device>(space, "tessera::likelihood::offset", sorted.offset.data(),
                                         sorted.offset.size());
        weight = to_device<Real, Device>(space, "tessera::likelihood::weight", sorted.weight.data(),
                                         sorted.weight.size());
        reference = to_device<Real, Device>(space, "tessera::likelihood::reference",
                                            sorted.reference.data(), sorted.reference.size());
        spans = to_device<SegmentSpan, Device>(space, "tessera::likelihood::spans",
                                               sorted.spans.data(), sorted.spans.size());
        for (const auto* table :
             {&host.mu_cos, &host.mu_sin, &host.nu_cos, &host.nu_sin, &host.nu_weight})
            angles.push_back(to_device<double, Device>(space, "tessera::likelihood::angles",
                                                       table->data(), table->size()));
        sky = to_device<double, Device>(space, "tessera::likelihood::sky", host.sky.data(),
                                        host.sky.size());
        for (int i = 0; i < 3; ++i) frame_[i] = device_vec(frame[i]);
    }

    ColumnsView columns() const {
        return view(angles[0].data(), angles[1].data(), angles[2].data(), angles[3].data(),
                    angles[4].data(), host.sky.empty() ? nullptr : sky.data());
    }
    ColumnsView host_columns() const {
        return view(host.mu_cos.data(), host.mu_sin.data(), host.nu_cos.data(), host.nu_sin.data(),
                    host.nu_weight.data(), host.sky.empty() ? nullptr : host.sky.data());
    }
    SegmentsView<Real> nodes() const {
        return {offset.data(), weight.data(), reference.data(), spans.data(),
                static_cast<int>(sorted.spans.size())};
    }

    AreaTables host;
    SortedNodes<Real> sorted;
    View1<Real, Device> offset, weight, reference;
    View1<SegmentSpan, Device> spans;
    std::vector<View1<double, Device>> angles;
    View1<double, Device> sky;     ///< empty without a selection function
    View1<double, Device> bounds;  ///< of the present model

  private:
    ColumnsView view(const double* mu_cos, const double* mu_sin, const double* nu_cos,
                     const double* nu_sin, const double* nu_weight, const double* shares) const {
        return {mu_cos,
                mu_sin,
                nu_cos,
                nu_sin,
                nu_weight,
                static_cast<int>(host.nu_cos.size()),
                {frame_[0], frame_[1], frame_[2]},
                shares};
    }

    DeviceVec frame_[3];
};

template <class Math, class Device, class Steps = AllSteps>
class ColumnIntegrator final : public WedgeIntegrator {
    using Space = typename Device::execution_space;
    using Real = typename Math::Real;
    using Sum = typename Math::Sum;
    using Integrate = IntegrateColumns<Math, Device, Steps>;
    using AddPartials = SumPartialTerms<Math, Device>;
    static constexpr const char* integrate_label = "tessera::likelihood::integrate_columns";
    static constexpr const char* add_label = "tessera::likelihood::sum_partials";
    static constexpr const char* stars_label = "tessera::likelihood::star_sums";

  public:
    /// Loads the kernels here and not at the first tile, because every device waits for its own
    /// loading.
    ColumnIntegrator() {
        load_kernel<Integrate>(integrate_label, space_);
        load_kernel<AddPartials>(add_label, space_);
        load_kernel<StarSums<Device, false>>(stars_label, space_);
    }

    void load(const WedgeTables& wedge) override {
        in_memory("tables of the wedge", [&] {
            sun_ = wedge.sun;
            areas_.clear();
            for (const AreaTables& area : wedge.areas)
                areas_.emplace_back(space_, area, wedge.frame);
        });
    }

    void set_model(const DensityModel& model) override {
        components_ = model.components();
        own_disks_ = model.background.has_disks();
        terms_ = density_terms(model, sun_);
        const std::vector<DensityTerm> on_device = with_tracks(model);
        device_terms_ = to_device<DensityTerm, Device>(space_, "tessera::likelihood::terms",
                                                       on_device.data(), on_device.size());
        for (auto& area : areas_) {
            const ColumnsView columns = area.host_columns();
            const auto bounds = SkipBounds(area.sorted.spans, area.host, columns).of(terms_);
            area.bounds = to_device<double, Device>(space_, "tessera::likelihood::bounds",
                                                    bounds.data(), bounds.size());
        }
    }

    std::vector<CompensatedSum<double>> integrate(int area, std::int64_t first,
                                                  std::int64_t count) override {
        const auto& tables = areas_.at(static_cast<std::size_t>(area));
        if (own_disks_)
            return integrate_by<IntegrateColumns<Math, Device, WithDisks<WithTracks<Steps>>>>(
                tables, first, count);
        if (tracks_.empty()) return integrate_by<Integrate>(tables, first, count);
        return integrate_by<IntegrateColumns<Math, Device, WithTracks<Steps>>>(tables, first,
                                                                               count);
    }

    std::vector<double> star_densities(const StarTable& stars) override {
        std::vector<double> sums(stars.direction.size() * terms_.size());
        if (!sums.empty())
            in_memory("tables of stars", [&] {
                if (own_disks_)
                    run_stars<StarSums<Device, true, true>>(stars, sums.data());
                else if (tracks_.empty())
                    run_stars<StarSums<Device, false>>(stars, sums.data());
                else
                    run_stars<StarSums<Device, true>>(stars, sums.data());
            });
        std::vector<double> densities(stars.direction.size() * components_);
        for (std::size_t s = 0; s < stars.direction.size(); ++s)
            for (std::size_t i = 0; i < terms_.size(); ++i)
                densities[s * components_ + static_cast<std::size_t>(terms_[i].component)] +=
                    terms_[i].factor * sums[s * terms_.size() + i];
        return densities;
    }

  private:
    template <class Kernel>
    std::vector<CompensatedSum<double>> integrate_by(const DeviceArea<Real, Device>& tables,
                                                     std::int64_t first, std::int64_t count) {
        Kernel kernel;
        kernel.columns = tables.columns();
        kernel.nodes = tables.nodes();
        kernel.terms = device_terms_.data();
        kernel.bounds = tables.bounds.data();
        kernel.term_count = static_cast<int>(terms_.size());
        kernel.first = static_cast<int>(first);
        kernel.count = static_cast<int>(count);
        const int blocks =
            kernel.groups(kernel.count) * kernel.segment_groups(kernel.nodes.segments);
        const int launches = blocks * kernel.term_count;
        std::vector<Sum> sums(terms_.size());
        if (count > 0) {
            kernel.partials = partials(static_cast<std::size_t>(launches) + terms_.size());
            Sum* const totals = kernel.partials + launches;
            launch_blocks(integrate_label, space_, launches, kernel);
            launch_blocks(add_label, space_, kernel.term_count,
                          AddPartials{kernel.partials, blocks, kernel.term_count, totals});
            download(totals, sums.data(), sums.size());
        }
        return by_component(sums);
    }

    template <class Action>
    static void in_memory(const char* what, Action&& action) {
        try {
            action();
        } catch (const std::exception& failure) {
            throw TileFailure(TileFailure::Reason::out_of_memory,
                              std::string(what) + ": " + failure.what());
        }
    }

    /// The terms with their tracks in the memory of the device.
    std::vector<DensityTerm> with_tracks(const DensityModel& model) {
        std::vector<DensityTerm> terms = terms_;
        tracks_.clear();
        for (DensityTerm& term : terms) {
            if (term.kind != TermKind::track) continue;
            const auto& pieces = model.streams[static_cast<std::size_t>(term.component) - 1].track;
            tracks_.push_back(to_device<TrackPiece, Device>(space_, "tessera::likelihood::track",
                                                            pieces.data(), pieces.size()));
            term.pieces = tracks_.back().data();
        }
        return terms;
    }

    Sum* partials(std::size_t size) {
        if (partials_.size() < size)
            in_memory("partial sums", [&] {
                partials_ = {};
                partials_ =
                    View1<Sum, Device>(Kokkos::view_alloc(space_, Kokkos::WithoutInitializing,
                                                          "tessera::likelihood::partials"),
                                       size);
            });
        return partials_.data();
    }

    template <class T>
    void download(const T* from, T* to, std::size_t size) {
        using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
        Kokkos::deep_copy(space_, Kokkos::View<T*, Kokkos::HostSpace, Unmanaged>(to, size),
                          Kokkos::View<const T*, Device, Unmanaged>(from, size));
        space_.fence("tessera::likelihood: the host reads the sums");
    }

    template <class Kernel>
    void run_stars(const StarTable& stars, double* sums) {
        std::vector<typename Kernel::Star> host_stars;
        for (std::size_t s = 0; s < stars.direction.size(); ++s)
            host_stars.push_back({device_vec(stars.direction[s]), stars.distance[s], stars.along[s],
                                  stars.faint[s] * log2_e, stars.bright[s] * log2_e});
        std::vector<typename Kernel::Node> host_nodes;
        for (std::size_t i = 0; i < stars.ratio.size(); ++i)
            host_nodes.push_back({stars.offset[i], stars.ratio[i], stars.weight[i]});
        const auto device_stars = to_device<typename Kernel::Star, Device>(
            space_, "tessera::likelihood::stars", host_stars.data(), host_stars.size());
        const auto device_nodes = to_device<typename Kernel::Node, Device>(
            space_, "tessera::likelihood::star_nodes", host_nodes.data(), host_nodes.size());
        const std::size_t size = host_stars.size() * terms_.size();
        const View1<double, Device> out(Kokkos::view_alloc(space_, Kokkos::WithoutInitializing,
                                                           "tessera::likelihood::star_sums"),
                                        size);
        launch_blocks(stars_label, space_, static_cast<int>(host_stars.size()),
                      Kernel{device_stars.data(), device_nodes.data(),
                             static_cast<int>(host_nodes.size()), device_terms_.data(),
                             static_cast<int>(terms_.size()), out.data()});
        download(out.data(), sums, size);
    }

    std::vector<CompensatedSum<double>> by_component(const std::vector<Sum>& sums) const {
        std::vector<CompensatedSum<double>> components(components_);
        for (std::size_t i = 0; i < terms_.size(); ++i) {
            auto& component = components[static_cast<std::size_t>(terms_[i].component)];
            component.add(terms_[i].factor * static_cast<double>(sums[i].value));
            component.add(terms_[i].factor * static_cast<double>(sums[i].compensation));
        }
        return components;
    }

    Space space_;
    Vec3 sun_;
    std::vector<DeviceArea<Real, Device>> areas_;
    std::size_t components_ = 1;
    bool own_disks_ = false;
    std::vector<DensityTerm> terms_;
    View1<DensityTerm, Device> device_terms_;
    std::vector<View1<TrackPiece, Device>> tracks_;
    View1<Sum, Device> partials_;
};

template <class Math, class Steps = AllSteps>
std::unique_ptr<WedgeIntegrator> make_column_integrator([[maybe_unused]] Backend backend) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda)
        return std::make_unique<ColumnIntegrator<Math, CudaDevice, Steps>>();
#endif
    return std::make_unique<ColumnIntegrator<Math, OpenMPDevice, Steps>>();
}

/// One function per source file, because nvcc takes long to compile it.
std::unique_ptr<WedgeIntegrator> make_double_integrator(Backend backend);
std::unique_ptr<WedgeIntegrator> make_single_integrator(Backend backend, bool compensated);

}  // namespace tessera::kernels

// The launches of an evaluation: boxes, integrals, stars, sums over stars.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kokkos_kernels/likelihood/compressed/boxes.hpp"
#include "kokkos_kernels/likelihood/compressed/device.hpp"
#include "kokkos_kernels/likelihood/compressed/host_stars.hpp"
#include "kokkos_kernels/likelihood/compressed/memory.hpp"
#include "kokkos_kernels/likelihood/compressed/stars.hpp"
#include "kokkos_kernels/likelihood/compressed/sums.hpp"
#include "kokkos_kernels/likelihood/observed/stages.hpp"

namespace tessera::kernels::compressed {

template <class Memory>
class DeviceOf final : public Device {
  public:
    using Space = typename Memory::execution_space;

    explicit DeviceOf(const Problem& problem)
        : components_(1 + problem.streams),
          disk_(problem.disk),
          triaxial_(problem.triaxial),
          own_disks_(problem.own_disks),
          frame_(problem.frame),
          area_count_(static_cast<int>(problem.areas.size())),
          wedge_areas_(problem.wedge_areas),
          star_mass_(problem.stars.mass),
          observed_(space_, problem.observed) {
        tail_ = tables_.keep(space_, problem.tail);
        std::vector<AreaPointers> areas;
        for (const AreaTables& area : problem.areas)
            areas.push_back({axis(area.radius), axis(area.mu), axis(area.nu),
                             tables_.keep(space_, area.sky),
                             static_cast<int>(area.nu.node.size()) / panel_size});
        areas_ = tables_.keep(space_, areas);
        const auto keep = [this](const auto& values) { return tables_.keep(space_, values); };
        stars_ = star_pointers(problem.stars, keep);
    }

    BatchSums run(const Batch& batch) override {
        if (own_disks_)
            return triaxial_ ? run_with_disks<WithDisks<TriaxialLine>>(batch)
                             : run_with_disks<WithDisks<SpheroidLine>>(batch);
        return triaxial_ ? run_along<TriaxialLine>(batch) : run_along<SpheroidLine>(batch);
    }

  private:
    AxisPointers axis(const AxisTable& table) {
        return {tables_.keep(space_, table.node), tables_.keep(space_, table.sine),
                tables_.keep(space_, table.weight), tables_.keep(space_, table.remainder)};
    }

    /// Offsets of a batch's arrays on the device: what the host sends, and what it reads back.
    struct Places {
        PacketLayout in, out;
        std::size_t backgrounds, streams, tracks, rules, tasks, first_task, given, observed;
        std::size_t areas, integrals, stars, log_density, terms, scale_sums, log_scale, slopes;
    };

    /// `star_sums` of a set.
    Places places(const Batch& batch, int star_sums) const {
        const std::size_t sets = batch.backgrounds.size();
        const auto components = static_cast<std::size_t>(components_);
        Places at{};
        at.backgrounds = at.in.place(sizeof(BackgroundValues) * sets);
        at.streams = at.in.place(sizeof(StreamValues) * batch.streams.size());
        at.tracks = at.in.place(sizeof(TrackPiece) * batch.tracks.size());
        at.rules = at.in.place(sizeof(PanelRules) * sets);
        at.tasks = at.in.place(sizeof(BoxTask) * batch.tasks.size());
        at.first_task = at.in.place(sizeof(int) * batch.first_task.size());
        at.given = at.in.place(sizeof(double) * batch.given.size());
        at.observed = at.in.place(sizeof(double) * batch.observed.size());
        at.areas = at.out.place(sizeof(double) * sets * components *
                                static_cast<std::size_t>(area_count_) * of_area());
        at.integrals = at.out.place(sizeof(double) * sets * components);
        at.stars = at.out.place(sizeof(double) * sets * static_cast<std::size_t>(star_sums));
        at.log_density = at.out.place(
            batch.densities ? sizeof(double) * sets * static_cast<std::size_t>(stars_.count) : 0);
        at.terms = at.out.place(batch.terms ? sizeof(double) * number_of_terms(batch) : 0);
        const std::size_t observed = observed_.empty() ? 0 : sizeof(double) * sets;
        at.scale_sums = at.out.place(observed);
        at.log_scale =
            at.out.place(batch.densities ? observed * static_cast<std::size_t>(stars_.count) : 0);
        at.slopes = at.out.place(observed * number_of_slopes(batch));
        return at;
    }

    std::size_t number_of_terms(const Batch& batch) const {
        return batch.backgrounds.size() * static_cast<std::size_t>(stars_.count) *
               static_cast<std::size_t>(components_);
    }

    /// Of one set.
    std::size_t number_of_slopes(const Batch& batch) const {
        if (!batch.gradient || observed_.empty()) return 0;
        return static_cast<std::size_t>(observed_.distributions() *
                                        slope_numbers(observed_.width()));
    }

    /// What the kernels of the observables read and write.
    ObservedArrays observed_arrays(const Batch& batch, const Places& at) {
        const auto part = [this](std::size_t place) {
            return reinterpret_cast<double*>(out_.get(0) + place);
        };
        ObservedArrays arrays;
        arrays.sets = static_cast<int>(batch.backgrounds.size());
        arrays.distributions = reinterpret_cast<const double*>(in_.get(0) + at.observed);
        arrays.gradient = batch.gradient;
        arrays.scale_sums = part(at.scale_sums);
        arrays.log_scale = batch.densities ? part(at.log_scale) : nullptr;
        arrays.slopes = part(at.slopes);
        return arrays;
    }

    /// Where the terms of the densities go: to the host, if it wants them, or to the slopes.
    double* terms_place(const Batch& batch, const Places& at) {
        if (batch.terms) return reinterpret_cast<double*>(out_.get(0) + at.terms);
        if (number_of_slopes(batch) == 0) return nullptr;
        return terms_.template get_of<double>(number_of_terms(batch));
    }

    template <class T>
    static void put(std::byte* packet, std::size_t at, const std::vector<T>& values) {
        if (!values.empty()) std::memcpy(packet + at, values.data(), values.size() * sizeof(T));
    }

    void upload(const Batch& batch, const Places& at) {
        std::byte* packet = staging_in_.get(at.in.size());
        put(packet, at.backgrounds, batch.backgrounds);
        put(packet, at.streams, batch.streams);
        put(packet, at.tracks, batch.tracks);
        put(packet, at.rules, batch.star_rules);
        put(packet, at.tasks, batch.tasks);
        put(packet, at.first_task, batch.first_task);
        put(packet, at.given, batch.given);
        put(packet, at.observed, batch.observed);
        in_.get(at.in.size());
        Kokkos::deep_copy(space_, in_.part(at.in.size()), staging_in_.part(at.in.size()));
    }

    template <class Line>
    BatchSums run_with_disks(const Batch& batch) {
        return batch.gradient ? run_as<Line, true, true>(batch) : run_as<Line, true, false>(batch);
    }

    template <class Line>
    BatchSums run_along(const Batch& batch) {
        if (disk_)
            return batch.gradient ? run_as<Line, true, true>(batch)
                                  : run_as<Line, true, false>(batch);
        return batch.gradient ? run_as<Line, false, true>(batch)
                              : run_as<Line, false, false>(batch);
    }

    template <class Line, bool Disk, bool Gradient>
    BatchSums run_as(const Batch& batch) {
        const StarSumLayout layout{components_ - 1, Gradient};
        const int star_sums = size_with<Line, Gradient>(layout);
        const Places at = places(batch, star_sums);
        upload(batch, at);
        std::byte* in = in_.get(at.in.size());
        std::byte* out = out_.get(at.out.size());
        const int sets = static_cast<int>(batch.backgrounds.size());
        const auto* backgrounds = reinterpret_cast<const BackgroundValues*>(in + at.backgrounds);
        const auto* streams = reinterpret_cast<const StreamValues*>(in + at.streams);
        const auto* tracks = reinterpret_cast<const TrackPiece*>(in + at.tracks);
        const auto components = static_cast<std::size_t>(sets * components_);
        double* per_integral = factors_.template get_of<double>(2 * components);
        double* boxes = boxes_.template get_of<double>(batch.tasks.size() * of_area() + 1);

        const auto sum_boxes = [&](auto with_tracks) {
            BoxKernel<Line, Disk, Gradient, with_tracks()> kernel{
                reinterpret_cast<const BoxTask*>(in + at.tasks),
                areas_,
                backgrounds,
                streams,
                tracks,
                tail_,
                boxes,
                components_ - 1,
                {}};
            std::copy(frame_.begin(), frame_.end(), kernel.frame);
            launch_blocks("tessera::likelihood::boxes", space_,
                          static_cast<int>(batch.tasks.size()), kernel);
        };
        const bool has_tracks = !batch.tracks.empty();
        if (!batch.tasks.empty() && !has_tracks) sum_boxes(std::false_type());
        if (!batch.tasks.empty() && has_tracks) sum_boxes(std::true_type());
        launch_blocks("tessera::likelihood::integrals", space_, sets * components_,
                      IntegralKernel<sums_with(Line::disks)>{
                          boxes, reinterpret_cast<const int*>(in + at.first_task), backgrounds,
                          streams, reinterpret_cast<const double*>(in + at.given),
                          reinterpret_cast<double*>(out + at.areas),
                          reinterpret_cast<double*>(out + at.integrals), per_integral,
                          per_integral + components, star_mass_, components_, area_count_,
                          wedge_areas_});
        double* log_density =
            batch.densities ? reinterpret_cast<double*>(out + at.log_density) : nullptr;
        double* terms = terms_place(batch, at);
        ObservedArrays observed = observed_arrays(batch, at);
        observed.terms = terms;
        const double* star_factors =
            observed_.empty() ? nullptr : observed_.factors(space_, observed);
        const int chunks = (stars_.count + stars_a_block - 1) / stars_a_block;
        sum_stars<Line, Disk, Gradient>(
            {stars_, reinterpret_cast<const PanelRules*>(in + at.rules), backgrounds, streams,
             tracks, per_integral, per_integral + components, tail_, nullptr, log_density, terms,
             star_factors, layout, chunks, check_every(stars_.count)},
            sets, has_tracks, reinterpret_cast<double*>(out + at.stars));
        if (number_of_slopes(batch) > 0) observed_.slopes(space_, observed);
        return download(at, batch, star_sums);
    }

    /// Sums the stars of each chunk, then the chunks of each set.
    template <class Line, bool Disk, bool Gradient>
    void sum_stars(StarWork work, int sets, bool has_tracks, double* sums_of_set) {
        const int size = size_with<Line, Gradient>(work.layout);
        const int rows = has_tracks ? launch_stars<Line, Disk, Gradient, true>(work, sets)
                                    : launch_stars<Line, Disk, Gradient, false>(work, sets);
        launch_blocks("tessera::likelihood::star_sums", space_, sets * size,
                      StarSumKernel{work.out, sums_of_set, rows, size});
    }

    /// Sets `work.out`, and returns its rows for each set.
    template <class Line, bool Disk, bool Gradient, bool Tracks>
    int launch_stars(StarWork& work, int sets) {
        using Kernel = std::conditional_t<is_host<Memory>, HostStarKernel<Line, Disk, Gradient>,
                                          StarKernel<Line, Disk, Gradient, Tracks>>;
        const int rows = work.chunks * Kernel::rows, blocks = sets * work.chunks;
        work.out = chunks_.template get_of<double>(
            static_cast<std::size_t>(sets * rows) *
                static_cast<std::size_t>(size_with<Line, Gradient>(work.layout)) +
            1);
        if (blocks == 0) return 0;
        if constexpr (is_host<Memory>) {
            launch_blocks(stars_label, space_, blocks, Kernel{work});
        } else {
            Kernel kernel{work, nullptr};
            kernel.scratch = scratch_.template get_of<double>(
                static_cast<std::size_t>(blocks) * static_cast<std::size_t>(kernel.scratch_size()));
            launch_blocks(stars_label, space_, blocks, kernel);
        }
        return rows;
    }

    std::size_t of_area() const { return static_cast<std::size_t>(sums_with(own_disks_)); }

    BatchSums download(const Places& at, const Batch& batch, int star_sums) {
        const std::byte* packet = staging_out_.get(at.out.size());
        Kokkos::deep_copy(space_, staging_out_.part(at.out.size()), out_.part(at.out.size()));
        space_.fence("tessera::likelihood: the host reads the sums");
        const std::size_t sets = batch.backgrounds.size();
        const auto components = static_cast<std::size_t>(components_);
        const auto take = [packet](std::size_t from, std::size_t count) {
            const auto* first = reinterpret_cast<const double*>(packet + from);
            return std::vector<double>(first, first + count);
        };
        return {
            take(at.areas, sets * components * static_cast<std::size_t>(area_count_) * of_area()),
            take(at.integrals, sets * components),
            take(at.stars, sets * static_cast<std::size_t>(star_sums)),
            take(at.log_density,
                 batch.densities ? sets * static_cast<std::size_t>(stars_.count) : 0),
            take(at.terms, batch.terms ? number_of_terms(batch) : 0),
            take(at.scale_sums, observed_.empty() ? 0 : sets),
            take(at.log_scale, batch.densities && !observed_.empty()
                                   ? sets * static_cast<std::size_t>(stars_.count)
                                   : 0),
            take(at.slopes, sets * number_of_slopes(batch))};
    }

    static constexpr const char* stars_label = "tessera::likelihood::stars";

    Space space_;
    Tables<Memory> tables_;
    int components_;
    bool disk_, triaxial_, own_disks_;
    std::array<double, 9> frame_;
    int area_count_, wedge_areas_;
    double star_mass_;
    const double* tail_ = nullptr;
    const AreaPointers* areas_ = nullptr;
    StarPointers stars_{};
    ObservedStages<Memory> observed_;
    Bytes<typename Memory::memory_space> in_, out_, boxes_, factors_, scratch_, chunks_, terms_;
    Bytes<typename Staging<Memory>::Space> staging_in_, staging_out_;
};

}  // namespace tessera::kernels::compressed

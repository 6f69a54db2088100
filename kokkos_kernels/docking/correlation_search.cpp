#include "kokkos_kernels/docking/correlation_search.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

#include "core/error.hpp"
#include "kokkos_kernels/docking/accumulate.hpp"
#include "kokkos_kernels/docking/channel_table.hpp"
#include "kokkos_kernels/docking/direct_terms.hpp"
#include "kokkos_kernels/docking/fused_transforms.hpp"
#include "kokkos_kernels/docking/pass_poses.hpp"
#include "kokkos_kernels/docking/pose_filter.hpp"
#include "kokkos_kernels/docking/receptor_spectra.hpp"
#include "kokkos_kernels/docking/stage_timer.hpp"
#include "kokkos_kernels/docking/voxelize.hpp"
#include "kokkos_kernels/fft/fft_plan.hpp"

namespace tessera::kernels {

namespace {

constexpr int B = bases_per_batch;

template <class Device>
class Search final : public CorrelationSearch {
    using Space = typename Device::execution_space;

  public:
    Search(const CorrelationProblem& problem, const SearchMemory& memory)
        : shape_{problem.n},
          table_(make_channel_table(problem)),
          memory_(memory),
          members_(static_cast<int>(problem.group.size())),
          poses_(problem.poses_per_rotation),
          plan_(space_, shape_, B),
          ligand_(make_device_ligand<Device>(space_, problem)) {
        // On hosts, FFTW's own inverse is faster.
        if (!is_host<Device> && FusedTransforms<Device>::supports(shape_.n))
            fused_.emplace(space_, shape_.n);
        take_over(problem);
        allocate();
        upload_receptor(problem);
    }

    std::vector<PoseRecord> run(std::span<const Quaternion> bases,
                                std::int64_t first_base) override {
        std::vector<PoseRecord> found;
        for (std::size_t first = 0; first < bases.size(); first += B) {
            const std::size_t count = std::min<std::size_t>(B, bases.size() - first);
            run_batch(bases.subspan(first, count), first_base + static_cast<std::int64_t>(first),
                      found);
        }
        // The passes over members depend on memory, but the order of the records must not.
        std::stable_sort(found.begin(), found.end(), [](const PoseRecord& a, const PoseRecord& b) {
            return a.rotation != b.rotation ? a.rotation < b.rotation : a.set < b.set;
        });
        return found;
    }

    std::vector<std::array<double, max_terms>> terms(std::span<const PoseRecord> poses,
                                                     std::span<const Quaternion> bases) override {
        return direct_terms<Device>(
            space_, {ligand_, receptor_, group_, term_of_channel_, shape_.n, spacing_}, poses,
            bases);
    }

    bool load(const CorrelationProblem& problem, bool same_receptor) override {
        const ChannelTable table = make_channel_table(problem);
        if (problem.n != shape_.n || table.channels != table_.channels ||
            table.sets != table_.sets || static_cast<int>(problem.group.size()) != members_ ||
            problem.poses_per_rotation != poses_)
            return false;
        take_over(problem);
        ligand_ = make_device_ligand<Device>(space_, problem);
        if (!same_receptor) upload_receptor(problem);
        return true;
    }

    const SearchMemory& memory() const override { return memory_; }
    void measure_stages(bool on) override { timed_.measure(on); }
    const StageTimes& stage_times() const override { return times_; }

  private:
    /// Takes everything from the problem except the two partners.
    void take_over(const CorrelationProblem& problem) {
        table_ = make_channel_table(problem);
        spacing_ = problem.spacing;
        host_group_ = problem.group;
        group_ = make_device_group<Device>(space_, problem);
        radius_squared_ = exclusion_steps_squared(problem);
        reach_ = ligand_reach(problem);
        plane_.take_over(problem, table_.sets);
        heights_.take_over(problem, table_.sets);
        // Planes and heights need whole grids, and FFTW writes them anyway.
        limits_ = LearnedLimits(fused_ && !plane_.is_set && !heights_.is_set);
    }

    template <class View>
    View make(const std::string& label, std::int64_t rows, std::int64_t columns) {
        return View(Kokkos::view_alloc(space_, Kokkos::WithoutInitializing, label), rows, columns);
    }

    void allocate() {
        const std::int64_t transforms = std::int64_t{memory_.members_per_pass} * B * table_.sets;
        ligand_grids_ = RealGrids<Device>("ligand_grids", B * table_.channels, shape_.points());
        ligand_spectra_ =
            make<Spectra<Device>>("ligand_spectra", B * table_.channels, shape_.spectrum_stride());
        base_spectra_ =
            make<Spectra<Device>>("receptor_spectra", table_.channels, shape_.spectrum_stride());
        member_spectra_ =
            make<Spectra<Device>>("member_spectra", memory_.members_resident * table_.channels,
                                  ReceptorOrder::stride(shape_.n));
        scores_ = make<Spectra<Device>>("scores", transforms, shape_.spectrum_stride());
        minima_ = make<View2<float, Device>>("minima", transforms, CellShape{shape_.n}.cells());
        pose_score_ = make<View2<float, Device>>("pose_score", transforms, poses_);
        pose_voxel_ = make<View2<int, Device>>("pose_voxel", transforms, poses_);
        samples_ = View1<float, Device>("score_samples", transforms);
        rotations_ = View2<double, Device>("rotations", B, 9);
        receptor_ = make<RealGrids<Device>>("receptor_grids", table_.channels, shape_.points());
    }

    void upload_receptor(const CorrelationProblem& problem) {
        term_of_channel_.clear();
        for (int c = 0; c < table_.channels; ++c) {
            copy_grid<Device>(space_, receptor_, c, problem.channels[c].receptor);
            term_of_channel_.push_back(problem.channels[c].term);
        }
        // The plan's batch is fixed, so the grids pass through the ligand's arrays B at a time.
        for (int first = 0; first < table_.channels; first += B) {
            const int count = std::min(B, table_.channels - first);
            for (int c = 0; c < count; ++c)
                copy_grid<Device>(space_, ligand_grids_, c,
                                  transformed_grid(problem, problem.channels[first + c]));
            plan_.forward(ligand_grids_.data(), ligand_spectra_.data(), B);
            Kokkos::deep_copy(
                space_,
                Kokkos::subview(base_spectra_, std::pair{first, first + count}, Kokkos::ALL),
                Kokkos::subview(ligand_spectra_, std::pair{0, count}, Kokkos::ALL));
        }
        Kokkos::deep_copy(space_, ligand_grids_, 0.0F);
        if (memory_.members_resident == members_) stage_members(0, members_);
        space_.fence("tessera::docking: receptor ready");
    }

    void stage_members(int first, int count) {
        const ReceptorOrder order =
            fused_ ? fused_->receptor_order(table_) : ReceptorOrder{shape_.n, table_.channels};
        PermuteSpectra<Device>{base_spectra_, member_spectra_.data(),
                               order,         group_,
                               first,         1.0F / static_cast<float>(shape_.points())}
            .launch(space_, count);
    }

    void run_batch(std::span<const Quaternion> bases, std::int64_t first_base,
                   std::vector<PoseRecord>& found) {
        upload_rotations<Device>(space_, bases, spacing_, rotations_);
        if (plane_.is_set) plane_.upload_axes(space_, bases);
        if (heights_.is_set)
            HeightBounds<Device>{heights_, rotations_}.launch(space_, members_ * B);
        const int count = static_cast<int>(bases.size());
        VoxelizeLigand<Device> voxelize{ligand_, rotations_, ligand_grids_, shape_.n, false};
        timed_(times_.voxelize, [&] { voxelize.launch(space_, count); });
        timed_(times_.forward, [&] {
            const int transforms = B * table_.channels;
            float* grids = ligand_grids_.data();
            Complex* spectra = ligand_spectra_.data();
            if (fused_) fused_->forward(space_, grids, spectra, transforms, reach_);
            if (!fused_) plan_.forward(grids, spectra, transforms, reach_);
        });
        voxelize.clear = true;
        timed_(times_.voxelize, [&] { voxelize.launch(space_, count); });
        for (int first = 0; first < members_; first += memory_.members_per_pass) {
            const int pass = std::min(memory_.members_per_pass, members_ - first);
            const PassRotations rotations{first, pass, count, first_base, members_};
            score_members(first, pass);
            if (collect(rotations, found)) continue;
            limits_.forget();
            score_members(first, pass);
            collect(rotations, found);
        }
    }

    void score_members(int first, int pass) {
        const bool resident = memory_.members_resident == members_;
        if (!resident) timed_(times_.accumulate, [&] { stage_members(first, pass); });
        const int row = resident ? first * table_.channels : 0;
        const ScoreSpectra<Device> spectra{
            Kokkos::subview(member_spectra_, std::pair{row, row + pass * table_.channels},
                            Kokkos::ALL),
            ligand_spectra_, scores_};
        const int transforms = pass * B * table_.sets;
        const View2<const float, Device> grids(reinterpret_cast<const float*>(scores_.data()),
                                               transforms, 2 * shape_.spectrum_stride());
        if (fused_) {
            timed_(times_.accumulate,
                   [&] { fused_->sum_and_first_axis(space_, spectra, table_, pass); });
            timed_(times_.inverse, [&] {
                fused_->inverse_planes(space_, scores_.data(), minima_.data(), transforms,
                                       table_.sets, limits_.limits());
            });
        } else {
            timed_(times_.accumulate, [&] {
                accumulate<Device>(space_, spectra, table_, pass, shape_.frequencies());
            });
            timed_(times_.inverse, [&] { plan_.inverse(scores_.data(), transforms); });
            timed_(times_.filter, [&] {
                CellMinima<Device>{grids, minima_, {shape_.n}}.launch(space_, transforms);
            });
        }
        timed_(times_.filter, [&] {
            const CellShape cells{shape_.n};
            if (plane_.is_set)
                PlaneMinima<Device>{grids, minima_, cells, plane_}.launch(space_, transforms);
            heights_.first_rotation = first * B;
            if (heights_.is_set)
                HeightMinima<Device>{grids, minima_, samples_, cells, heights_}.launch(space_,
                                                                                       transforms);
            SelectPoses<Device>{grids,    minima_,     pose_score_,     pose_voxel_,
                                cells,    poses_,      radius_squared_, plane_,
                                heights_, table_.sets, limits_.limits()}
                .launch(space_, transforms);
        });
    }

    /// Adds the poses of one pass. Returns false if the limits hid some.
    bool collect(const PassRotations& pass, std::vector<PoseRecord>& found) {
        const PassPoses<Device> poses(pose_score_, pose_voxel_, table_.sets);
        const auto samples = Kokkos::create_mirror_view(samples_);
        if (heights_.is_set) Kokkos::deep_copy(samples, samples_);
        const auto highest = poses.highest_last(pass);
        if (!highest && limits_.are_set()) return false;
        if (highest) limits_.learn(*highest);
        // A rotation may have no place beside a membrane.
        const auto may_lack_poses = [&](int row) {
            return heights_.is_set && std::isfinite(samples(row));
        };
        poses.collect(pass, host_group_, shape_.n, may_lack_poses, found);
        return true;
    }

    Space space_;
    FftShape shape_;
    ChannelTable table_;
    SearchMemory memory_;
    int members_, poses_;
    int radius_squared_ = 0;
    int reach_ = 0;  ///< grid steps that a rotated ligand atom can be from voxel 0 along an axis
    double spacing_ = 1;
    FftPlan3d<Device> plan_;
    std::optional<FusedTransforms<Device>> fused_;  ///< set where it is the faster route
    DeviceLigand<Device> ligand_;
    std::vector<SignedPermutation> host_group_;
    View1<DevicePermutation, Device> group_;
    RealGrids<Device> receptor_;  ///< [channel][n^3], unweighted, for direct terms
    std::vector<int> term_of_channel_;
    RealGrids<Device> ligand_grids_;  ///< [base * channels + channel][n^3], zero between batches
    Spectra<Device> ligand_spectra_, base_spectra_, member_spectra_, scores_;
    View2<float, Device> minima_, pose_score_;
    View2<int, Device> pose_voxel_;
    View1<float, Device> samples_;  ///< [transform], with heights_: a score, not finite on failures
    View2<double, Device> rotations_;
    TranslationPlane<Device> plane_;
    HeightFilter<Device> heights_;
    LearnedLimits limits_{false};
    StageTimer<Space> timed_{space_};
    StageTimes times_;
};

}  // namespace

std::unique_ptr<CorrelationSearch> make_correlation_search(Backend backend,
                                                           const CorrelationProblem& problem,
                                                           std::int64_t memory_budget) {
    const SearchMemory memory = plan_memory(problem, backend, memory_budget);
    try {
#ifdef KOKKOS_ENABLE_CUDA
        if (backend == Backend::cuda) return std::make_unique<Search<CudaDevice>>(problem, memory);
#endif
        return std::make_unique<Search<OpenMPDevice>>(problem, memory);
    } catch (const std::bad_alloc&) {
        throw Error("no memory for the docking search",
                    std::to_string(memory.total() >> 20) +
                        " MiB were planned, but other programs took some",
                    "free the device or give less with --memory", ExitCode::resources);
    }
}

}  // namespace tessera::kernels

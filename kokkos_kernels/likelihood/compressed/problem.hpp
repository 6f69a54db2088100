// Plain types of the compressed quadrature's kernels (docs/method/likelihood-quadrature.md).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kokkos_kernels/likelihood/disk.hpp"
#include "kokkos_kernels/likelihood/halo.hpp"
#include "kokkos_kernels/likelihood/observed/table.hpp"

namespace tessera::kernels::compressed {

/// Nodes of a panel, and number of lanes that work on them.
inline constexpr int panel_size = 16;

/// Panels of one axis as a heap: the root is 1, and the children of panel p are 2p and 2p + 1. A
/// panel has sixteen nodes. If it has fewer points, it repeats one with weight 0.
struct AxisTable {
    std::vector<double> node;    ///< [panel][16] kpc, or cosine of an angle
    std::vector<double> sine;    ///< [panel][16] sine of that angle; empty for radii
    std::vector<double> weight;  ///< [panel][16]
    std::vector<double>
        remainder;  ///< [panel][4] moments of P_14, P_15 and 1; 0 where points are exact
};

struct AreaTables {
    AxisTable radius, mu, nu;
    /// With a selection function, [mu panel][nu panel] a SkyPanel, which replaces the weights of mu
    /// and nu; else empty.
    std::vector<double> sky;
};

/// Places in the weights of a panel of mu and a panel of nu whose points have weights of their own.
struct SkyPanel {
    static constexpr int weights = 0;                           ///< [mu node][nu node]
    static constexpr int along_mu = panel_size * panel_size;    ///< [nu node][4] remainder
    static constexpr int along_nu = along_mu + 4 * panel_size;  ///< [mu node][4]
    static constexpr int size = along_nu + 4 * panel_size;
};

/// Stars with the panels of their lines of sight. Radii are `distance` times a ratio of the panel.
inline constexpr int star_panel_stride = 20;
struct StarTables {
    int count = 0;
    std::vector<double> direction;  ///< [star][3], unit vectors
    std::vector<double> distance;   ///< [star] kpc
    std::vector<double> factor;     ///< [star] unit of the weights
    std::vector<double> auxiliary;  ///< [star][3] sums of weight, weight g, weight g^2
    int panels = 0;                 ///< size of the heap; tables are padded to multiples of 16
    int first_panel = 1, last_panel = 1;       ///< roots: one for the whole, or both halves
    std::vector<double> ratio;                 ///< [panel][16]
    std::vector<double> lower, upper, middle;  ///< [panel] ratios
    std::vector<double>
        half_width;              ///< [panel] of the logarithm of distance; 0 where points are exact
    std::vector<double> weight;  ///< [panel][20]: 16 weights, then the remainder
    std::vector<int> own_row;  ///< [panel] row of own_weight, or -1 if all stars share the weights
    /// [star][panels / 2][20], for the half of the panels whose weights differ between stars.
    std::vector<double> own_weight;
    double mass = 0;  ///< largest |factor| times sum of |weight| over the stars
    /// The stars in the order in which the threads of a GPU take them. Hosts take them as they are.
    std::vector<int> order;
};

/// What sixteen nodes miss of a bend at a knot of a track, for each sigma of it.
inline constexpr double missed_of_kink = 6.5e-6;

/// How fine panels are. The tolerance determines these numbers.
struct PanelRules {
    double reach = 1;      ///< half width of a panel on a stream's axis, in sigma
    double clearance = 2;  ///< distance of a panel from a singularity, in half widths
    double cutoff = 40;    ///< exponents this far above the least one are left out
    double steepest =
        4;  ///< half of the most e-folds of the disk over a panel, where the disk is thickest
    double negligible = 40;  ///< e-folds after which the disk does not count
    double kink = 1e-6;      ///< of a track within a panel where its third derivative jumps, sigma
};

struct Problem {
    std::vector<double> tail;  ///< [2][16] for the coefficients of P_14 and P_15
    bool disk = false;         ///< the 2018 model's thick disk
    bool own_disks = false;    ///< disks with scales of their own
    bool triaxial = false;     ///< whether the halo is
    int streams = 0;
    std::array<double, 9> frame{};  ///< columns: direction of (mu, nu) before it is normalised
    std::vector<AreaTables> areas;
    int wedge_areas = 1;  ///< so many areas are added at first, and the others are subtracted
    StarTables stars;
    ObservedTable observed;  ///< empty without observables
};

/// A box of panels of one area, for one component of one parameter set.
struct BoxTask {
    int set = 0, component = 0, area = 0;  ///< component 0: background
    int radius = 1, mu = 1, nu = 1;        ///< panels
};

struct BackgroundValues {
    HaloProfile profile = HaloProfile::hernquist;
    double halo = 1, disk = 0;  ///< factors of the two densities; 1 of disks of one's own
    double q = 1, r0 = 12, alpha = 1, delta = 1;  ///< r0: also the radius of a break
    double log_scale = 0;                         ///< of a power law or Einasto's profile
    double a = 0, b = 0, c = 0;
    double auxiliary_integral = 0;
    double fraction = 1;    ///< W_0 / sum W
    double floor = 1e-15;   ///< a star's share of a component counts as -241 below this
    bool triaxial = false;  ///< whether the next three count
    double p = 1;
    double to_axes[9] = {};  ///< rows of Halo::to_axes
    double turn[3] = {};     ///< factors of the derivatives by a turn about each of its axes
    ExponentialDisk disks[most_disks] = {};  ///< with scales of their own
};

struct StreamValues {
    double axis[3], centre[3];         ///< centre from the Sun, kpc
    double centre_mu[3], centre_r[3];  ///< derivatives of `centre`, per degree and per kpc
    double axis_theta[3], axis_phi[3];
    double sigma = 1;
    double fraction = 0;  ///< W_s / sum W
    int pieces = 0;       ///< of a track, which takes the place of the axis; 0: a straight stream
    int first_piece = 0;  ///< in the pieces of the batch
};

/// Length of the sums over a box or an area. The indices are BackgroundSum or StreamSum.
inline constexpr int sums = 11;
enum BackgroundSum {
    halo_sum,
    error_sum,
    disk_sum,
    q_sum,
    r0_sum,
    alpha_sum,
    delta_sum,
    p_sum,
    turn_sum  ///< the first of three: by turns of a triaxial halo about its own axes, per radian
};
/// Further sums if there are disks of one's own, whose densities are added up in disk_sum: of each
/// disk the integral without its factor, and the same times R and times |Z|. Those of the stars
/// stand behind StarSumLayout::size().
inline constexpr int disk_moments = 3 * most_disks;
constexpr int sums_with(bool own_disks) { return own_disks ? sums + disk_moments : sums; }

/// A track has sums by its four shifts in the places of mu, r, theta and phi.
enum StreamSum { stream_sum, stream_error, mu_sum, r_sum, theta_sum, phi_sum, sigma_sum };

inline constexpr int stars_a_block = 64;
/// The error of the stars' sums is estimated on every n-th block of stars; this is n.
constexpr int check_every(int stars) { return stars < 8192 ? 1 : 8; }
constexpr bool is_checked(int star, int every) { return star / stars_a_block % every == 0; }

/// Sums over the stars of one set:
/// [0] log10 P, [1] log10 of the background alone, [2] error of ln P (checked stars),
/// [3..] log10 of each stream alone, then the shares of each component in P (background first).
/// With the gradient, these follow at fixed integrals: d ln P / d of the background's epsilon, q,
/// r0, alpha, delta, a, b, c, p and of turns about the halo's axes, and of each stream's mu, r,
/// theta, phi (or the shifts of its track), sigma.
struct StarSumLayout {
    int streams = 0;
    bool gradient = false;
    constexpr int stream_only() const { return 3; }
    constexpr int shares() const { return 3 + streams; }
    constexpr int background() const { return shares() + 1 + streams; }
    constexpr int stream(int s) const { return background() + 12 + 5 * s; }
    constexpr int size() const { return gradient ? stream(streams) : background(); }
};

}  // namespace tessera::kernels::compressed

// The walk of a stream: walk_stream(), declared in walk.hpp.
#include <algorithm>

#include "likelihood/compressed/box.hpp"

namespace tessera::likelihood {

namespace {

Vec3 vec(const double* v) { return {v[0], v[1], v[2]}; }

constexpr int most_looked = 4000;  // boxes to search for the least exponent

/// Cuts boxes until they resolve a stream. Lengths are distances across the axis in units of sigma.
class StreamWalk {
  public:
    StreamWalk(const CompressedArea& area, const std::array<Vec3, 3>& frame,
               const StreamValues& stream, const Track& track, const PanelRules& rules)
        : area_(area),
          frame_(frame),
          track_(track),
          axis_(vec(stream.axis)),
          foot_(across(vec(stream.centre))),
          inverse_sigma_(1 / std::abs(stream.sigma)),
          rules_(rules) {}

    BoxWalk walk() {
        least_ = least_exponent();
        result_.conditioning = conditioning();
        visit({});
        return std::move(result_);
    }

  private:
    Vec3 across(Vec3 v) const { return v - dot(axis_, v) * axis_; }
    bool curved() const { return !track_.empty(); }

    /// A box relative to the stream.
    struct View {
        double half[box_axes];        ///< half extents across the axis
        double steep;                 ///< radial half extent that decides the resolution
        double at_centre;             ///< distance of its centre from the axis
        double along[box_axes] = {};  ///< half extents along a track, kpc
        double kink = 0;              ///< of a track within it
        double nearest() const { return std::max(0.0, at_centre - half[0] - half[1] - half[2]); }
    };

    /// A box relative to a track, whose axis is the tangent at its nearest point. The axis turns
    /// within the box, which adds to the extents across it.
    View view_of_track(const BoxFrame& at) const {
        View v;
        const Vec3 centre = at.middle * at.centre;
        const double x[3] = {centre.x, centre.y, centre.z};
        const auto near = kernels::nearest_on_track(track_.data(), static_cast<int>(track_.size()),
                                                    x, nearest_piece_);
        nearest_piece_ = near.piece;
        const auto& piece = track_[static_cast<std::size_t>(near.piece)];
        double t[3], whole[box_axes];
        kernels::track_tangent(piece, near.t, t);
        const Vec3 tangent = vec(t);
        const double distance = std::sqrt(near.distance2);
        at.extents([](Vec3 u) { return norm(u); }, whole);
        at.extents([&](Vec3 u) { return std::abs(dot(u, tangent)); }, v.along);
        const double lean = kernels::track_lean(piece, whole[0] + whole[1] + whole[2], distance);
        const auto length = [&](Vec3 u) {
            return norm(u - dot(u, tangent) * tangent) + lean * norm(u);
        };
        at.extents(length, v.half);
        v.steep = at.steep(length(at.centre)) * inverse_sigma_;
        v.kink = kernels::track_kink(piece, near.t, v.along[0] + v.along[1] + v.along[2]) *
                 inverse_sigma_;
        for (double& half : v.half) half *= inverse_sigma_;
        v.at_centre = distance * inverse_sigma_;
        return v;
    }

    View view(const PanelBox& box) const {
        const BoxFrame at(area_, frame_, box);
        if (curved()) return view_of_track(at);
        View v;
        const double along = norm(across(at.centre));
        at.extents([&](Vec3 u) { return norm(across(u)); }, v.half);
        v.steep = at.steep(along) * inverse_sigma_;
        for (double& half : v.half) half *= inverse_sigma_;
        v.at_centre = norm(at.middle * across(at.centre) - foot_) * inverse_sigma_;
        return v;
    }

    /// Relative error from rounding, and from the knots of a track. Positions are known to a few
    /// roundings of their size. The error of a density at d sigma from the axis is d / sigma times
    /// as large, plus a few roundings of its exponent. Numbers below e^-640 lose their digits.
    double conditioning() const {
        if (least_ > 640) return 1;
        const double size = area_.high[1] + (curved() ? area_.high[1] : norm(foot_)),
                     distance = 3 + std::sqrt(2 * least_);
        const double rounding = 4e-16 * (size * inverse_sigma_ * distance + least_);
        // What sixteen nodes may miss where the third derivative of a track jumps. The last
        // Legendre coefficients do not show it.
        return curved() ? rounding + kernels::compressed::missed_of_kink * rules_.kink : rounding;
    }

    /// Least exponent in the area by branch and bound. It is too large by at most about 1 plus 1 %.
    double least_exponent() const {
        double best = 1e300;
        std::vector<PanelBox> open{{}};
        for (int looked = 0; !open.empty() && looked < most_looked; ++looked) {
            const PanelBox box = open.back();
            open.pop_back();
            const View v = view(box);
            best = std::min(best, v.at_centre * v.at_centre / 2);
            const double near = v.nearest();
            if (near * near / 2 > 0.99 * best - 1) continue;
            int widest = -1;
            for (int axis = 0; axis < box_axes; ++axis)
                if (!box.exact(area_, axis) && (widest < 0 || v.half[axis] > v.half[widest]))
                    widest = axis;
            if (widest < 0) continue;
            PanelBox children[2] = {box.child(widest, 0), box.child(widest, 1)};
            if (!children[0].empty(area_) && !children[1].empty(area_) &&
                view(children[0]).at_centre < view(children[1]).at_centre)
                std::swap(children[0], children[1]);
            for (const PanelBox& child : children)
                if (!child.empty(area_)) open.push_back(child);
        }
        return best;
    }

    void visit(const PanelBox& box) {
        if (result_.too_many || box.empty(area_)) return;
        const View v = view(box);
        const double near = v.nearest(), excess = near * near / 2 - least_;
        if (excess > rules_.cutoff) {
            result_.left_out += box.mass(area_) * std::exp(-near * near / 2);
            return;
        }
        const double steep[box_axes] = {v.steep, v.half[along_mu], v.half[along_nu]};
        const double allowed = rules_.reach *
                               std::exp(std::max(excess, 0.0) / kernels::compressed::panel_size) /
                               (1 + 0.25 * near);
        int worst = -1;
        for (int axis = 0; axis < box_axes; ++axis)
            if (steep[axis] > allowed && !box.exact(area_, axis) &&
                (worst < 0 || steep[axis] > steep[worst]))
                worst = axis;
        if (worst < 0 && v.kink > rules_.kink * (1 + std::max(excess, 0.0)))
            for (int axis = 0; axis < box_axes; ++axis)
                if (!box.exact(area_, axis) && (worst < 0 || v.along[axis] > v.along[worst]))
                    worst = axis;
        if (worst < 0) {
            result_.boxes.push_back({0, 0, 0, box.panel[0], box.panel[1], box.panel[2]});
            result_.too_many = result_.boxes.size() > most_boxes;
            return;
        }
        visit(box.child(worst, 0));
        visit(box.child(worst, 1));
    }

    const CompressedArea& area_;
    const std::array<Vec3, 3>& frame_;
    const Track& track_;             ///< empty: the axis is straight
    mutable int nearest_piece_ = 0;  ///< where to look first
    Vec3 axis_, foot_;
    double inverse_sigma_;
    PanelRules rules_;
    double least_ = 0;
    BoxWalk result_;
};

}  // namespace

BoxWalk walk_stream(const CompressedArea& area, const std::array<Vec3, 3>& frame,
                    const StreamValues& stream, const Track& track, const PanelRules& rules) {
    return StreamWalk(area, frame, stream, track, rules).walk();
}

}  // namespace tessera::likelihood

#include "orbitals/tiles/combined_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/basis/merged_basis.hpp"
#include "orbitals/basis/orbital_gradient.hpp"
#include "orbitals/tiles/combined_geometry.hpp"

namespace tessera::orbitals {

namespace {

/// An orbital: the index of its source in the combination, and its index there.
using Place = std::pair<std::size_t, int>;
using Factors = std::map<Place, double>;
/// Coefficients of orbitals, and the weights of their squares.
using WeightedRows = std::vector<std::pair<std::vector<double>, double>>;

/// A frame of a source. `first` is the first frame of the same file, where orbitals are looked up.
struct Source {
    const OrbitalFrame* frame;
    const OrbitalFrame* first;
    std::string name;
};

Source source_named(const PreparedOrbitals& prepared, std::size_t frame, const std::string& name) {
    const OrbitalFrame& current = prepared.frames[frame];
    if (name.empty())
        return {&current, &prepared.frames.front(),
                prepared.frames.size() > 1 ? fmt::format("frame {}", current.number)
                                           : "'" + io::one_line(current.wavefunction.path) + "'"};
    const auto& known = *std::ranges::find(prepared.sources, name, &CombinedSource::name);
    // A file of one frame stands for that frame, and a longer one goes along with the run.
    const auto same = known.frames.size() == 1
                          ? known.frames.begin()
                          : std::ranges::find(known.frames, current.number, &OrbitalFrame::number);
    return {&*same, &known.frames.front(),
            is_frame_number(name) ? "frame " + name
                                  : "'" + io::one_line(same->wavefunction.path) + "'"};
}

/// Multiplies out the terms of one combination in one frame.
class Terms {
  public:
    Terms(const PreparedOrbitals& prepared, std::size_t frame, const Combination& combination)
        : prepared_(prepared),
          frame_(frame),
          combination_(combination),
          names_(sources_of(combination)) {
        for (const std::string& name : names_) {
            sources_.push_back(source_named(prepared, frame, name));
            owners_.push_back(owner_of_last());
        }
    }

    CombinedRows rows() {
        CombinedRows rows;
        std::vector<CombinedFile> files;
        files.reserve(sources_.size());
        for (const Source& source : sources_)
            files.push_back({&source.frame->wavefunction, source.name});
        require_same_cells(files, what());
        const Source frame = source_named(prepared_, frame_, "");
        if (!prepared_.different_geometries)
            rows.displacement =
                require_same_atoms(files, {&frame.frame->wavefunction, frame.name}, what());
        for (const CombinedFile& file : files) basis_.add(*file.wavefunction);
        rows.wavefunction.path = files.front().wavefunction->path;
        rows.wavefunction.nuclei = basis_.nuclei();
        rows.wavefunction.shells = basis_.shells();
        rows.wavefunction.lattice = files.front().wavefunction->lattice;
        rows.of_squares = !combination_.of_orbitals();
        if (rows.of_squares)
            add_squares(rows);
        else
            add_orbital(rows);
        if (combination_.axis >= 0)
            rows.wavefunction = gradient_along(rows.wavefunction, combination_.axis);
        return rows;
    }

  private:
    std::string what() const { return "--combine " + combination_.name; }

    /// The source that has the orbitals of the last one: the current frame may also be named by its
    /// number. Equal orbitals then cancel exactly.
    std::size_t owner_of_last() const {
        const auto of_run = [&](std::size_t i) {
            return names_[i].empty() || is_frame_number(names_[i]);
        };
        const std::size_t last = sources_.size() - 1;
        for (std::size_t i = 0; i < last && of_run(last); ++i)
            if (of_run(i) && sources_[i].frame->number == sources_[last].frame->number) return i;
        return last;
    }

    std::size_t index_of(const std::string& source) const {
        return static_cast<std::size_t>(std::ranges::find(names_, source) - names_.begin());
    }

    /// The orbital of a term, and the sign that tracking gives it.
    std::pair<int, int> find(const OrbitalTerm& term) const {
        const Source& source = sources_[index_of(term.source)];
        const auto chosen = select_orbitals(source.first->wavefunction, {term.orbital}, {});
        if (term.source.empty() && prepared_.tracked) {
            const auto known = std::ranges::find(prepared_.selection, chosen.front().label,
                                                 &SelectedOrbital::label);
            if (known == prepared_.selection.end())
                throw Error(what() + ": " + chosen.front().label +
                                " is not among the orbitals of the run",
                            "with --track only these are followed", "add it to --orbitals");
            const auto item = static_cast<std::size_t>(known - prepared_.selection.begin());
            return {source.frame->items[item].orbital, source.frame->items[item].sign};
        }
        return {select_in_frame(source.frame->wavefunction, chosen).front(), 1};
    }

    Factors factors_of(const std::vector<OrbitalTerm>& terms) const {
        Factors factors;
        for (const OrbitalTerm& term : terms) {
            const auto [orbital, sign] = find(term);
            factors[{owners_[index_of(term.source)], orbital}] += term.factor * sign;
        }
        std::erase_if(factors, [](const auto& one) { return one.second == 0; });
        require_one_basis(factors);
        return factors;
    }

    void require_one_basis(const Factors& factors) const {
        for (const auto& [place, factor] : factors) {
            const Source& first = sources_[factors.begin()->first.first];
            const Source& other = sources_[place.first];
            if (same_basis(first.frame->wavefunction, other.frame->wavefunction)) continue;
            throw Error(what() + ": it adds orbitals of two basis sets",
                        first.name + " and " + other.name + " have different basis functions",
                        "use files of one basis; densities may have several");
        }
    }

    const std::vector<double>& coefficients_at(const Place& place) const {
        return sources_[place.first]
            .frame->wavefunction.orbitals[static_cast<std::size_t>(place.second)]
            .coefficients;
    }

    std::vector<double> sum_of(const Factors& factors) const {
        std::vector<double> sum(basis_.functions(), 0.0);
        for (const auto& [place, factor] : factors) {
            const auto orbital = basis_.expanded(place.first, coefficients_at(place));
            for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += factor * orbital[k];
        }
        return sum;
    }

    static void add_row(std::vector<double> coefficients, double weight, CombinedRows& rows) {
        rows.wavefunction.orbitals.emplace_back().coefficients = std::move(coefficients);
        rows.weights.push_back(weight);
    }

    void add_orbital(CombinedRows& rows) const {
        std::vector<double> sum = sum_of(factors_of(combination_.orbitals));
        if (std::ranges::all_of(sum, [](double c) { return c == 0; }))
            throw Error(what() + ": it is zero everywhere", "its orbitals cancel",
                        "correct the expression");
        add_row(std::move(sum), 1, rows);
    }

    void add_squares(CombinedRows& rows) const {
        Factors squares;  // each orbital once, however often it is named
        double electrons = 0;
        WeightedRows of_products;
        for (const DensityTerm& term : combination_.densities) {
            if (term.kind == DensityTerm::Kind::transition) {
                add_transition(term, of_products);
                continue;
            }
            const std::size_t source = owners_[index_of(term.source)];
            const auto weights = density_weights(sources_[source].frame->wavefunction,
                                                 term.kind == DensityTerm::Kind::spin);
            for (std::size_t i = 0; i < weights.size(); ++i) {
                squares[{source, static_cast<int>(i)}] += term.factor * weights[i];
                electrons += term.factor * weights[i];
            }
        }
        if (combination_.products.empty() && of_products.empty()) rows.electrons = electrons;
        for (const ProductTerm& term : combination_.products)
            add_product(term, squares, of_products);
        for (const auto& [place, weight] : squares)
            if (weight != 0)
                add_row(basis_.expanded(place.first, coefficients_at(place)), weight, rows);
        for (auto& [coefficients, weight] : of_products)
            add_row(std::move(coefficients), weight, rows);
    }

    /// A product of an orbital with itself is a square.
    void add_product(const ProductTerm& term, Factors& squares, WeightedRows& rows) const {
        const Factors first = factors_of(term.first), second = factors_of(term.second);
        if (first.empty() || second.empty() || term.factor == 0) return;
        const auto& [place, factor] = *first.begin();
        if (first.size() == 1 && second.size() == 1 && second.contains(place)) {
            squares[place] += term.factor * factor * second.at(place);
            return;
        }
        add_pair(sum_of(first), sum_of(second), term.factor, rows);
    }

    /// factor * p * q as a difference of squares
    static void add_pair(const std::vector<double>& p, const std::vector<double>& q, double factor,
                         WeightedRows& rows) {
        std::vector<double> sum(p.size()), difference(p.size());
        for (std::size_t k = 0; k < p.size(); ++k) {
            sum[k] = p[k] + q[k];
            difference[k] = p[k] - q[k];
        }
        const auto is_zero = [](double c) { return c == 0; };
        if (!std::ranges::all_of(sum, is_zero)) rows.emplace_back(std::move(sum), factor / 4);
        if (!std::ranges::all_of(difference, is_zero))
            rows.emplace_back(std::move(difference), -factor / 4);
    }

    /// The sum over the pairs of natural transition orbitals of sqrt(weight) * hole * electron. The
    /// occupation of the electron is the weight, and that of the hole before it the negative one.
    void add_transition(const DensityTerm& term, WeightedRows& rows) const {
        const std::size_t source = owners_[index_of(term.source)];
        const auto& orbitals = sources_[source].frame->wavefunction.orbitals;
        bool found = false;
        for (std::size_t i = 0; i + 1 < orbitals.size(); i += 2) {
            const auto &hole = orbitals[i], &electron = orbitals[i + 1];
            if (hole.occupation >= 0 || electron.occupation != -hole.occupation) break;
            add_pair(basis_.expanded(source, hole.coefficients),
                     basis_.expanded(source, electron.coefficients),
                     term.factor * std::sqrt(electron.occupation), rows);
            found = true;
        }
        if (!found)
            throw Error(what() + ": " + sources_[source].name + " has no transition density",
                        "its orbitals are not pairs of a hole and an electron",
                        "add --natural-transition-orbitals");
    }

    const PreparedOrbitals& prepared_;
    std::size_t frame_;
    const Combination& combination_;
    std::vector<std::string> names_;
    std::vector<Source> sources_;
    std::vector<std::size_t> owners_;
    MergedBasis basis_;
};

}  // namespace

CombinedRows combine(const PreparedOrbitals& prepared, std::size_t frame, std::size_t combination) {
    return Terms(prepared, frame, prepared.combinations[combination]).rows();
}

}  // namespace tessera::orbitals

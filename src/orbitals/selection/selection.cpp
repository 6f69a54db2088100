#include "orbitals/selection/selection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/symmetry.hpp"

namespace tessera::orbitals {

namespace {

using io::Spin;
using Kind = OrbitalRequest::Kind;

const char* suffix_of(std::optional<Spin> spin) {
    return !spin ? "" : *spin == Spin::alpha ? "a" : "b";
}

const char* word_of(std::optional<Spin> spin) {
    return !spin ? "" : *spin == Spin::alpha ? "alpha " : "beta ";
}

Error not_there(const io::Wavefunction& wavefunction, const std::string& what,
                const std::string& why, const char* option = "--orbitals") {
    return Error(std::string(option) + ": there is no " + what + " in '" +
                     io::one_line(wavefunction.path) + "'",
                 why, "choose an orbital that the file holds");
}

std::vector<int> of_spin(const io::Wavefunction& wavefunction, std::optional<Spin> spin) {
    std::vector<int> found;
    for (std::size_t i = 0; i < wavefunction.orbitals.size(); ++i)
        if (!spin || wavefunction.orbitals[i].spin == *spin) found.push_back(static_cast<int>(i));
    return found;
}

/// Natural transition orbitals and the like: the occupation of a hole is the negative weight of its
/// pair. No HOMO or LUMO is among them.
bool has_holes(const io::Wavefunction& wavefunction) {
    return std::ranges::any_of(wavefunction.orbitals,
                               [](const auto& orbital) { return orbital.occupation < 0; });
}

/// The occupied orbitals of a spin downwards from HOMO, or the empty orbitals upwards from LUMO.
std::vector<int> ladder(const io::Wavefunction& wavefunction, Kind kind, Spin spin) {
    std::vector<int> rungs;
    if (has_holes(wavefunction)) return rungs;
    for (const int i : of_spin(wavefunction, spin))
        if (is_occupied(wavefunction.orbitals[static_cast<std::size_t>(i)]) == (kind == Kind::homo))
            rungs.push_back(i);
    const auto energy = [&](int i) {
        return wavefunction.orbitals[static_cast<std::size_t>(i)].energy;
    };
    // The sort is stable, so files without energies keep their order.
    std::ranges::stable_sort(rungs, [&](int a, int b) { return energy(a) < energy(b); });
    if (kind == Kind::homo) std::ranges::reverse(rungs);
    return rungs;
}

int frontier_orbital(const io::Wavefunction& wavefunction, Kind kind, int steps, Spin spin,
                     const std::string& label, const char* option = "--orbitals") {
    if (has_holes(wavefunction))
        throw Error(fmt::format("{}: there is no {} in '{}'", option, label,
                                io::one_line(wavefunction.path)),
                    "its orbitals are holes and electrons, of which the holes have negative "
                    "occupations",
                    "choose by number or label, such as 1hole,1electron (--list)");
    const std::vector<int> rungs = ladder(wavefunction, kind, spin);
    if (static_cast<std::size_t>(steps) >= rungs.size())
        throw not_there(wavefunction, label,
                        fmt::format("it has {} {} {}orbitals", rungs.size(),
                                    kind == Kind::homo ? "occupied" : "empty", word_of(spin)),
                        option);
    return rungs[static_cast<std::size_t>(steps)];
}

/// The spin whose HOMO is higher, or whose LUMO is lower. Alpha if both are equal.
Spin frontier_spin(const io::Wavefunction& wavefunction, Kind kind) {
    const auto alpha = ladder(wavefunction, kind, Spin::alpha);
    const auto beta = ladder(wavefunction, kind, Spin::beta);
    if (alpha.empty() || beta.empty()) return beta.empty() ? Spin::alpha : Spin::beta;
    const auto& orbitals = wavefunction.orbitals;
    const double a = orbitals[static_cast<std::size_t>(alpha[0])].energy;
    const double b = orbitals[static_cast<std::size_t>(beta[0])].energy;
    return kind == Kind::homo ? (b > a ? Spin::beta : Spin::alpha)
                              : (b < a ? Spin::beta : Spin::alpha);
}

void add_request(const io::Wavefunction& wavefunction, const OrbitalRequest& request,
                 std::vector<SelectedOrbital>& selected) {
    const auto& orbitals = wavefunction.orbitals;
    if (request.kind == Kind::homo || request.kind == Kind::lumo) {
        const bool homo = request.kind == Kind::homo;
        std::string label = homo ? "HOMO" : "LUMO";
        if (request.first > 0) label += fmt::format("{}{}", homo ? '-' : '+', request.first);
        label += suffix_of(request.spin);
        const Spin spin = request.spin ? *request.spin : frontier_spin(wavefunction, request.kind);
        selected.push_back({label, request.kind, request.first,
                            frontier_orbital(wavefunction, request.kind, request.first, spin, label,
                                             request.option),
                            spin, ""});
        return;
    }
    if (request.kind == Kind::symmetry) {
        const SymmetryMatch match = find_by_symmetry(wavefunction, request.text, request.option);
        const Spin spin = orbitals[static_cast<std::size_t>(match.orbital)].spin;
        selected.push_back({match.label, request.kind, 0, match.orbital, spin, request.text});
        return;
    }
    const std::vector<int> pool = of_spin(wavefunction, request.spin);
    const bool ranged = request.kind == Kind::numbers;
    if (ranged && static_cast<std::size_t>(request.last) > pool.size())
        throw not_there(wavefunction,
                        fmt::format("{}orbital {}", word_of(request.spin), request.last),
                        fmt::format("it holds {}", pool.size()), request.option);
    const int first = ranged ? request.first : 1;
    const int last = ranged ? request.last : static_cast<int>(pool.size());
    for (int number = first; number <= last; ++number) {
        const int index = pool[static_cast<std::size_t>(number - 1)];
        const auto& orbital = orbitals[static_cast<std::size_t>(index)];
        if (request.kind == Kind::occupied && !is_occupied(orbital)) continue;
        selected.push_back({fmt::format("{}{}", number, suffix_of(request.spin)), Kind::numbers, 0,
                            index, orbital.spin, ""});
    }
}

}  // namespace

std::vector<std::string> choosing_words(const io::Wavefunction& wavefunction) {
    std::vector<std::string> words(wavefunction.orbitals.size());
    const auto add = [&](std::size_t orbital, const std::string& word) {
        words[orbital] += (words[orbital].empty() ? "" : " ") + word;
    };
    const auto mark = [&](Kind kind, Spin spin, const std::string& word) {
        const std::vector<int> rungs = ladder(wavefunction, kind, spin);
        if (!rungs.empty()) add(static_cast<std::size_t>(rungs.front()), word);
    };
    const bool unrestricted = !of_spin(wavefunction, Spin::beta).empty();
    for (const Kind kind : {Kind::homo, Kind::lumo}) {
        const std::string word = kind == Kind::homo ? "HOMO" : "LUMO";
        mark(kind, frontier_spin(wavefunction, kind), word);
        if (!unrestricted) continue;
        for (const Spin spin : {Spin::alpha, Spin::beta}) mark(kind, spin, word + suffix_of(spin));
    }
    const std::vector<std::string> symmetries = symmetry_names(wavefunction);
    for (std::size_t i = 0; i < words.size(); ++i)
        if (!symmetries[i].empty()) add(i, symmetries[i]);
    return words;
}

bool is_occupied(const io::MolecularOrbital& orbital) { return orbital.occupation > 0.5; }

std::vector<SelectedOrbital> select_orbitals(const io::Wavefunction& wavefunction,
                                             const std::vector<OrbitalRequest>& requests,
                                             const std::optional<EnergyWindow>& window) {
    std::vector<SelectedOrbital> selected;
    for (const OrbitalRequest& request : requests) {
        const std::size_t before = selected.size();
        add_request(wavefunction, request, selected);
        if (selected.size() == before)
            throw not_there(wavefunction, "orbital for '" + request.text + "'",
                            "no orbital has this spin or occupation", request.option);
    }
    const std::size_t listed = selected.size();
    for (std::size_t i = 0; window && i < wavefunction.orbitals.size(); ++i) {
        const auto& orbital = wavefunction.orbitals[i];
        if (orbital.energy >= window->low && orbital.energy <= window->high)
            selected.push_back(
                {std::to_string(i + 1), Kind::numbers, 0, static_cast<int>(i), orbital.spin, ""});
    }
    if (window && selected.size() == listed)
        throw Error(
            fmt::format("no orbital lies between {:g} and {:g} hartree", window->low, window->high),
            "--energy-window", "widen the window");
    return selected;
}

std::vector<int> select_in_frame(const io::Wavefunction& wavefunction,
                                 const std::vector<SelectedOrbital>& selected) {
    std::vector<int> indices;
    for (const SelectedOrbital& item : selected) {
        if (item.kind == Kind::symmetry) {
            indices.push_back(find_by_symmetry(wavefunction, item.symmetry, "--orbitals").orbital);
            continue;
        }
        if (item.kind != Kind::numbers) {
            indices.push_back(
                frontier_orbital(wavefunction, item.kind, item.steps, item.spin, item.label));
            continue;
        }
        const auto index = static_cast<std::size_t>(item.orbital);
        if (index >= wavefunction.orbitals.size() || wavefunction.orbitals[index].spin != item.spin)
            throw not_there(wavefunction, "orbital " + item.label,
                            "this frame has different orbitals from the first frame");
        indices.push_back(item.orbital);
    }
    return indices;
}

}  // namespace tessera::orbitals

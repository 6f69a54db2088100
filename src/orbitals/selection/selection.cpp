#include "orbitals/selection/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/text_lists.hpp"

namespace tessera::orbitals {

namespace {

using io::Spin;
using Kind = OrbitalRequest::Kind;
constexpr double hartree_in_ev = 27.211386245988;  // CODATA 2018

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

Error bad_item(const std::string& text, const std::string& why) {
    return Error("--orbitals: '" + io::one_line(text) + "' is not an orbital", why,
                 "use for example HOMO,LUMO+1,12:18,3b, occupied or all");
}

std::optional<int> whole_number(std::string_view text) {
    int value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || text.empty() || text[0] == '-')
        return std::nullopt;
    return value;
}

/// Whether the text is a number too large for an int. No file has so many orbitals or frames.
bool is_huge(std::string_view text) {
    int value = 0;
    return std::from_chars(text.data(), text.data() + text.size(), value).ec ==
               std::errc::result_out_of_range &&
           text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether a number in "N" or "N:M" is_huge().
bool has_huge_end(std::string_view range) {
    const std::size_t colon = std::min(range.find(':'), range.size());
    return is_huge(range.substr(0, colon)) ||
           (colon < range.size() && is_huge(range.substr(colon + 1)));
}

/// HOMO-n counts down, LUMO+n counts up.
OrbitalRequest frontier(Kind kind, const std::string& steps, const std::string& text) {
    OrbitalRequest request{kind};
    if (steps.empty()) return request;
    const char sign = kind == Kind::homo ? '-' : '+';
    if (steps[0] == sign && is_huge(std::string_view(steps).substr(1)))
        throw bad_item(text, "no file holds so many orbitals");
    const auto count = whole_number(std::string_view(steps).substr(1));
    if (steps[0] != sign || !count)
        throw bad_item(text, kind == Kind::homo ? "HOMO counts down, as in HOMO-2"
                                                : "LUMO counts up, as in LUMO+1");
    request.first = *count;
    return request;
}

OrbitalRequest numbers(const std::string& body, const std::string& text) {
    if (has_huge_end(body)) throw bad_item(text, "numbers go up to 2147483647");
    const std::size_t colon = body.find(':');
    const auto first = whole_number(body.substr(0, colon));
    const auto last = colon == std::string::npos ? first : whole_number(body.substr(colon + 1));
    if (!first || !last) throw bad_item(text, "it is not a name, a number or a range N:M");
    if (*first < 1) throw bad_item(text, "numbers begin at 1");
    if (*last < *first) throw bad_item(text, "the range runs backwards");
    return {Kind::numbers, *first, *last};
}

OrbitalRequest parse_item(const std::string& text) {
    std::string body = lower(text);
    std::optional<Spin> spin;
    // No name ends in a or b, so a final a or b is a spin.
    if (body.size() > 1 && (body.back() == 'a' || body.back() == 'b')) {
        spin = body.back() == 'a' ? Spin::alpha : Spin::beta;
        body.pop_back();
    }
    OrbitalRequest request;
    if (body.starts_with("homo")) {
        request = frontier(Kind::homo, body.substr(4), text);
    } else if (body.starts_with("lumo")) {
        request = frontier(Kind::lumo, body.substr(4), text);
    } else if (body == "all") {
        request.kind = Kind::all;
    } else if (body == "occupied") {
        request.kind = Kind::occupied;
    } else {
        request = numbers(body, text);
    }
    request.spin = spin;
    request.text = text;
    return request;
}

const char* suffix_of(std::optional<Spin> spin) {
    return !spin ? "" : *spin == Spin::alpha ? "a" : "b";
}

const char* word_of(std::optional<Spin> spin) {
    return !spin ? "" : *spin == Spin::alpha ? "alpha " : "beta ";
}

Error not_there(const io::Wavefunction& wavefunction, const std::string& what,
                const std::string& why) {
    return Error("--orbitals: there is no " + what + " in '" + io::one_line(wavefunction.path) +
                     "'",
                 why, "choose an orbital that the file holds");
}

std::vector<int> of_spin(const io::Wavefunction& wavefunction, std::optional<Spin> spin) {
    std::vector<int> found;
    for (std::size_t i = 0; i < wavefunction.orbitals.size(); ++i)
        if (!spin || wavefunction.orbitals[i].spin == *spin) found.push_back(static_cast<int>(i));
    return found;
}

/// The occupied orbitals of a spin downwards from HOMO, or the empty orbitals upwards from LUMO.
std::vector<int> ladder(const io::Wavefunction& wavefunction, Kind kind, Spin spin) {
    std::vector<int> rungs;
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
                     const std::string& label) {
    const std::vector<int> rungs = ladder(wavefunction, kind, spin);
    if (static_cast<std::size_t>(steps) >= rungs.size())
        throw not_there(wavefunction, label,
                        fmt::format("it has {} {} {}orbitals", rungs.size(),
                                    kind == Kind::homo ? "occupied" : "empty", word_of(spin)));
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
        selected.push_back(
            {label, request.kind, request.first,
             frontier_orbital(wavefunction, request.kind, request.first, spin, label), spin});
        return;
    }
    const std::vector<int> pool = of_spin(wavefunction, request.spin);
    const bool ranged = request.kind == Kind::numbers;
    if (ranged && static_cast<std::size_t>(request.last) > pool.size())
        throw not_there(wavefunction,
                        fmt::format("{}orbital {}", word_of(request.spin), request.last),
                        fmt::format("it holds {}", pool.size()));
    const int first = ranged ? request.first : 1;
    const int last = ranged ? request.last : static_cast<int>(pool.size());
    for (int number = first; number <= last; ++number) {
        const int index = pool[static_cast<std::size_t>(number - 1)];
        const auto& orbital = orbitals[static_cast<std::size_t>(index)];
        if (request.kind == Kind::occupied && !is_occupied(orbital)) continue;
        selected.push_back({fmt::format("{}{}", number, suffix_of(request.spin)), Kind::numbers, 0,
                            index, orbital.spin});
    }
}

}  // namespace

bool is_occupied(const io::MolecularOrbital& orbital) { return orbital.occupation > 0.5; }

std::vector<OrbitalRequest> parse_orbital_list(const std::string& text) {
    std::vector<OrbitalRequest> requests;
    for (const std::string& item : split_list(text)) {
        if (item.empty()) throw bad_item(text, "an item is empty");
        requests.push_back(parse_item(item));
    }
    return requests;
}

EnergyWindow parse_energy_window(const std::string& text) {
    const auto bad = [&](const std::string& why) {
        return Error("--energy-window '" + io::one_line(text) + "' is not a window", why,
                     "give LOW:HIGH in hartree, for example -0.6:0.1, or -16:3eV");
    };
    std::string body = text;
    double unit = 1;
    if (body.size() > 2 && lower(body.substr(body.size() - 2)) == "ev") {
        unit = 1 / hartree_in_ev;
        body.resize(body.size() - 2);
    }
    const std::size_t colon = body.find(':');
    if (colon == std::string::npos) throw bad("there is no ':'");
    const auto low = real_number(body.substr(0, colon));
    const auto high = real_number(body.substr(colon + 1));
    if (!low || !high) throw bad("its ends are not numbers");
    if (*high < *low) throw bad("its lower end is above its upper end");
    return {*low * unit, *high * unit};
}

std::vector<int> parse_numbers(const std::string& option, const std::string& text, int largest) {
    std::vector<int> found;
    for (const std::string& item : split_list(text)) {
        if (has_huge_end(item))
            throw Error(option + ": there is no " + io::one_line(item, 60),
                        fmt::format("the files hold {}", largest),
                        fmt::format("choose from 1 to {}", largest));
        const std::size_t colon = item.find(':');
        const auto first = whole_number(item.substr(0, colon));
        const auto last = colon == std::string::npos ? first : whole_number(item.substr(colon + 1));
        if (!first || !last || *first < 1 || *last < *first)
            throw Error(option + ": '" + io::one_line(item) + "' is not a number or a range",
                        "numbers begin at 1 and ranges ascend", "use for example 1,3,5:9");
        if (*last > largest)
            throw Error(fmt::format("{}: there is no {}", option, *last),
                        fmt::format("the files hold {}", largest),
                        fmt::format("choose from 1 to {}", largest));
        for (int number = *first; number <= *last; ++number) found.push_back(number);
    }
    return found;
}

std::vector<SelectedOrbital> select_orbitals(const io::Wavefunction& wavefunction,
                                             const std::vector<OrbitalRequest>& requests,
                                             const std::optional<EnergyWindow>& window) {
    std::vector<SelectedOrbital> selected;
    for (const OrbitalRequest& request : requests) {
        const std::size_t before = selected.size();
        add_request(wavefunction, request, selected);
        if (selected.size() == before)
            throw not_there(wavefunction, "orbital for '" + request.text + "'",
                            "no orbital has this spin or occupation");
    }
    const std::size_t listed = selected.size();
    for (std::size_t i = 0; window && i < wavefunction.orbitals.size(); ++i) {
        const auto& orbital = wavefunction.orbitals[i];
        if (orbital.energy >= window->low && orbital.energy <= window->high)
            selected.push_back(
                {std::to_string(i + 1), Kind::numbers, 0, static_cast<int>(i), orbital.spin});
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

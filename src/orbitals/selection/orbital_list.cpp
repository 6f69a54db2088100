#include "orbitals/selection/orbital_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/error.hpp"
#include "core/units.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/symmetry.hpp"
#include "orbitals/selection/text_lists.hpp"

namespace tessera::orbitals {

namespace {

using io::Spin;
using Kind = OrbitalRequest::Kind;

Error bad_item(const std::string& text, const std::string& why) {
    return Error("--orbitals: '" + io::one_line(text) + "' is not an orbital", why,
                 "use for example HOMO,LUMO+1,12:18,3b,2b1u, occupied or all");
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

/// Whether it has nothing but digits and a colon, whatever their order. "3 a" and "3.a" have more.
bool is_number_or_range(std::string_view text) {
    return text.find_first_not_of("0123456789:") == std::string_view::npos;
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
    std::string body = lower_case(text);
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
    } else if (!is_number_or_range(body) && names_symmetry(text)) {
        if (*symmetry_label(text).number < 1) throw bad_item(text, "numbers begin at 1");
        request.kind = Kind::symmetry;
        spin.reset();  // only the file says whether the last letter belongs to the label
    } else {
        request = numbers(body, text);
    }
    request.spin = spin;
    request.text = text;
    return request;
}

}  // namespace

std::vector<OrbitalRequest> parse_orbital_list(const std::string& text) {
    std::vector<OrbitalRequest> requests;
    for (const std::string& item : split_list(text)) {
        if (item.empty()) throw bad_item(text, "an item is empty");
        requests.push_back(parse_item(item));
    }
    return requests;
}

bool names_one_orbital(const OrbitalRequest& request) {
    return request.kind != Kind::all && request.kind != Kind::occupied &&
           (request.kind != Kind::numbers || request.first == request.last);
}

EnergyWindow parse_energy_window(const std::string& text) {
    const auto bad = [&](const std::string& why) {
        return Error("--energy-window '" + io::one_line(text) + "' is not a window", why,
                     "give LOW:HIGH in hartree, for example -0.6:0.1, or -16:3eV");
    };
    std::string body = text;
    double unit = 1;
    if (body.size() > 2 && lower_case(body.substr(body.size() - 2)) == "ev") {
        unit = 1 / units::hartree_in_ev;
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

}  // namespace tessera::orbitals

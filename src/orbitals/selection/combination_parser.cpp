#include "orbitals/selection/combination_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::orbitals {

namespace {

/// A part of an expression: a number, a sum of orbitals, or a sum of densities.
struct Value {
    enum class Kind { number, orbitals, density };
    Kind kind = Kind::number;
    double number = 0;
    Combination sum;
};

template <class Terms>
void append(Terms& to, const Terms& from) {
    to.insert(to.end(), from.begin(), from.end());
}

void scale(Value& value, double factor) {
    value.number *= factor;
    for (auto& term : value.sum.orbitals) term.factor *= factor;
    for (auto& term : value.sum.densities) term.factor *= factor;
    for (auto& term : value.sum.products) term.factor *= factor;
}

/// Reads by recursive descent: sum, product, factor.
class Parser {
  public:
    explicit Parser(const std::string& text) : text_(text) {}

    Combination parse() {
        constexpr std::size_t longest = 4096;
        if (text_.size() > longest)
            throw bad(fmt::format("it has more than {} characters", longest));
        Value value = sum();
        if (at_ < text_.size()) throw unexpected();
        if (value.kind == Value::Kind::number) throw bad("it is a number, not a field");
        require_storable(value.sum);
        value.sum.expression = text_;
        return std::move(value.sum);
    }

  private:
    Error bad(const std::string& why) const {
        return Error("--combine: '" + io::one_line(text_) + "' cannot be computed", why,
                     "use for example \"f = density(a) - density(b)\", or \"m = 0.7*orbital(HOMO) "
                     "+ 0.7*orbital(LUMO)\"");
    }
    Error unexpected() const {
        if (at_ >= text_.size()) return bad("it ends too early");
        return bad(fmt::format("'{}' is not expected at character {}",
                               io::one_line(text_.substr(at_, 12)), at_ + 1));
    }

    /// Skips blanks. Returns whether `c` follows, and takes it.
    bool take(char c) {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    Value sum() {
        Value left = take('-') ? negative(product()) : (take('+'), product());
        while (true) {
            if (take('+'))
                add(left, product());
            else if (take('-'))
                add(left, negative(product()));
            else
                return left;
        }
    }

    static Value negative(Value value) {
        scale(value, -1);
        return value;
    }

    void add(Value& left, const Value& right) const {
        if (left.kind != right.kind)
            throw bad("it adds things of different kinds: numbers, orbitals and densities have "
                      "different units");
        if (left.sum.axis != right.sum.axis)
            throw bad("it adds gradients to orbitals, or gradients along different axes");
        left.number += right.number;
        append(left.sum.orbitals, right.sum.orbitals);
        append(left.sum.densities, right.sum.densities);
        append(left.sum.products, right.sum.products);
    }

    Value product() {
        Value left = factor();
        while (true) {
            if (take('*')) {
                left = times(std::move(left), factor());
            } else if (take('/')) {
                const Value right = factor();
                if (right.kind != Value::Kind::number || right.number == 0)
                    throw bad("it divides by something that is not a number, or by 0");
                scale(left, 1 / right.number);
            } else {
                return left;
            }
            require_finite(left);
        }
    }

    Value times(Value left, Value right) const {
        using Kind = Value::Kind;
        if (left.kind == Kind::number) std::swap(left, right);
        if (right.kind == Kind::number) {
            scale(left, right.number);
            return left;
        }
        if (left.kind == Kind::density || right.kind == Kind::density)
            throw bad("it multiplies a density by an orbital or a density");
        if (left.sum.axis >= 0 || right.sum.axis >= 0)
            throw bad("it multiplies a gradient by an orbital or a gradient");
        Value value{Kind::density, 0, {}};
        value.sum.products.push_back({1, left.sum.orbitals, right.sum.orbitals});
        return value;
    }

    void require_finite(const Value& value) const {
        const auto finite = [](const auto& term) { return std::isfinite(term.factor); };
        if (!std::isfinite(value.number) || !std::ranges::all_of(value.sum.orbitals, finite) ||
            !std::ranges::all_of(value.sum.densities, finite) ||
            !std::ranges::all_of(value.sum.products, finite))
            throw bad("a factor is too large");
    }

    /// Throws unless all values fit into single precision, in which grids are stored. Densities
    /// stay below 10^7 bohr^-3, so that larger factors would become infinite.
    void require_storable(const Combination& sum) const {
        if (largest_factor(sum) > 1e30) throw bad("a factor is too large");
    }

    Value factor() {
        if (take('(')) {
            if (++depth_ > deepest) throw bad("its parentheses are too deep");
            Value inner = sum();
            if (!take(')')) throw unexpected();
            --depth_;
            return inner;
        }
        if (at_ < text_.size() && (std::isdigit(next()) || next() == '.')) return number();
        return term();
    }

    unsigned char next() const { return static_cast<unsigned char>(text_[at_]); }

    Value number() {
        Value value;
        const auto [end, code] =
            std::from_chars(text_.data() + at_, text_.data() + text_.size(), value.number);
        if (code != std::errc() || !std::isfinite(value.number)) throw unexpected();
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }

    std::string word() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (std::isalnum(next()) || next() == '_')) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    /// gradient_x(...), after its name.
    Value gradient(int axis) {
        if (!take('(')) throw unexpected();
        if (++depth_ > deepest) throw bad("its parentheses are too deep");
        Value inner = sum();
        if (!take(')')) throw unexpected();
        --depth_;
        if (inner.kind != Value::Kind::orbitals || inner.sum.axis >= 0)
            throw bad("a gradient is that of a sum of orbitals; --field has those of the density");
        inner.sum.axis = axis;
        return inner;
    }

    /// density, density(b), spin_density(b), transition_density(b), orbital(HOMO), orbital(b, HOMO)
    /// or a gradient.
    Value term() {
        const std::size_t begin = at_;
        const std::string name = word();
        for (const int axis : {0, 1, 2})
            if (name == std::string("gradient_") + "xyz"[axis]) return gradient(axis);
        using Kind = DensityTerm::Kind;
        const std::map<std::string, Kind> densities{{"density", Kind::all},
                                                    {"spin_density", Kind::spin},
                                                    {"transition_density", Kind::transition}};
        const auto density = densities.find(name);
        if (name != "orbital" && density == densities.end()) {
            at_ = begin;
            if (name.empty()) throw unexpected();
            throw bad("it has '" + name +
                      "' where density, spin_density, transition_density, orbital(...) or "
                      "gradient_x(...) may stand");
        }
        std::vector<std::string> words;
        if (take('(')) words = arguments();
        if (density != densities.end()) {
            if (words.size() > 1) throw bad("a density has one file");
            Value value{Value::Kind::density, 0, {}};
            value.sum.densities.push_back(
                {1, words.empty() ? std::string() : source_of(words[0]), density->second});
            return value;
        }
        if (words.empty() || words.size() > 2)
            throw bad("an orbital is written orbital(HOMO), or orbital(b, HOMO) of the file b");
        Value value{Value::Kind::orbitals, 0, {}};
        value.sum.orbitals.push_back(
            {1, words.size() == 1 ? std::string() : source_of(words[0]), orbital_of(words.back())});
        return value;
    }

    /// The texts between commas up to the closing parenthesis, without the blanks around them.
    std::vector<std::string> arguments() {
        std::vector<std::string> words;
        do {
            const std::size_t end = std::min(text_.find_first_of(",()", at_), text_.size());
            std::string argument = text_.substr(at_, end - at_);
            argument.erase(0, std::min(argument.find_first_not_of(' '), argument.size()));
            argument.erase(argument.find_last_not_of(' ') + 1);
            at_ = end;
            if (argument.empty()) throw unexpected();
            words.push_back(std::move(argument));
        } while (take(','));
        if (!take(')')) throw unexpected();
        return words;
    }

    std::string source_of(const std::string& text) const {
        const auto may_stand = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
        if (!std::ranges::all_of(text, may_stand))
            throw bad("'" + io::one_line(text) + "' is neither a name given to --with nor a frame");
        if (!is_frame_number(text)) return text;
        if (text.size() > 9 || text[0] == '0' ||
            text.find_first_not_of("0123456789") != std::string::npos)
            throw bad("'" + io::one_line(text) + "' is not the number of a frame");
        return text;
    }

    OrbitalRequest orbital_of(const std::string& text) const {
        OrbitalRequest request;
        try {
            request = parse_orbital_list(text).front();
        } catch (const Error&) {
            throw bad("'" + io::one_line(text) + "' is not an orbital such as HOMO or 12");
        }
        if (!names_one_orbital(request))
            throw bad("'" + io::one_line(text) + "' is more than one orbital");
        request.option = "--combine";
        return request;
    }

    static constexpr int deepest = 100;
    std::string text_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

Combination parse_expression(const std::string& text) { return Parser(text).parse(); }

}  // namespace tessera::orbitals

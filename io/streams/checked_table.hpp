// A TOML table whose keys are checked, with messages that name the file and the line.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"
#include "io/text/toml.hpp"

namespace tessera::io {

using Keys = std::vector<std::string_view>;

/// A table whose keys are all known, and its name in messages.
class CheckedTable {
  public:
    /// `name` is for example "stream 2", or empty for the whole file.
    CheckedTable(const TextSource& source, const toml::table& table, std::string name,
                 const Keys& keys)
        : source_(source), table_(table), name_(std::move(name)) {
        for (const auto& [key, node] : table)
            if (std::ranges::find(keys, key.str()) == keys.end())
                refuse(&node, fmt::format("unknown key '{}'{}", one_line(key.str(), 40), within()),
                       fmt::format("did you mean '{}'?", nearest_word(key.str(), keys)));
    }

    [[noreturn]] void refuse(const toml::node* node, const std::string& why,
                             const std::string& what_to_do) const {
        const auto line = (node ? node->source() : table_.source()).begin.line;
        throw Error(fmt::format("cannot read {} '{}:{}'", source_.noun, source_.path,
                                std::max<std::size_t>(line, 1)),
                    why, what_to_do);
    }

    bool has(std::string_view key) const { return table_.contains(key); }
    double number(std::string_view key) const {
        const toml::node& node = required(key);
        const auto value = node.is_number() ? node.value<double>() : std::nullopt;
        if (!value || !std::isfinite(*value)) wrong(node, key, "a finite number");
        return *value;
    }
    double number(std::string_view key, double otherwise) const {
        return has(key) ? number(key) : otherwise;
    }
    int integer(std::string_view key) const {
        const toml::node& node = required(key);
        const auto value = node.is_integer() ? node.value<std::int64_t>() : std::nullopt;
        if (!value || std::abs(*value) > 1'000'000'000) wrong(node, key, "a whole number");
        return static_cast<int>(*value);
    }
    int integer(std::string_view key, int otherwise) const {
        return has(key) ? integer(key) : otherwise;
    }
    CheckedTable table(std::string_view key, const Keys& keys) const {
        const toml::node& node = required(key);
        if (!node.is_table()) wrong(node, key, "a table");
        return {source_, *node.as_table(),
                name_.empty() ? std::string(key) : name_ + "." + std::string(key), keys};
    }
    /// The tables [[key]]; empty if there are none.
    std::vector<CheckedTable> tables(std::string_view key, const Keys& keys) const {
        std::vector<CheckedTable> all;
        if (!has(key)) return all;
        const toml::node& node = required(key);
        if (!node.is_array() || !(node.as_array()->empty() || node.is_array_of_tables()))
            wrong(node, key, fmt::format("tables [[{}]]", key).c_str());
        for (const toml::node& one : *node.as_array())
            all.push_back(
                {source_, *one.as_table(), fmt::format("{} {}", key, all.size() + 1), keys});
        return all;
    }
    /// An array of triples of finite numbers.
    std::vector<std::array<double, 3>> triples(std::string_view key) const {
        const toml::node& node = required(key);
        constexpr const char* wanted = "a list of three numbers each: [[1, 2, 3], [4, 5, 6]]";
        if (!node.is_array()) wrong(node, key, wanted);
        std::vector<std::array<double, 3>> all;
        for (const toml::node& one : *node.as_array()) {
            const toml::array* const row = one.as_array();
            if (!row || row->size() != 3) wrong(one, key, wanted);
            std::array<double, 3>& numbers = all.emplace_back();
            for (std::size_t i = 0; i < 3; ++i) {
                const toml::node& number = *row->get(i);
                const auto value = number.is_number() ? number.value<double>() : std::nullopt;
                if (!value || !std::isfinite(*value)) wrong(number, key, wanted);
                numbers[i] = *value;
            }
        }
        return all;
    }
    std::string word(std::string_view key) const {
        const toml::node& node = required(key);
        const auto value = node.value<std::string>();
        if (!node.is_string() || !value) wrong(node, key, "a word in quotes");
        return *value;
    }
    std::string word(std::string_view key, const std::string& otherwise) const {
        return has(key) ? word(key) : otherwise;
    }
    /// Returns the choice of the file, that of the command line (which must not differ), or
    /// `otherwise`.
    template <class Value, class ValueNamed>
    Value choice(std::string_view key, std::optional<Value> chosen, std::optional<Value> otherwise,
                 ValueNamed&& value_named) const {
        if (!has(key) && chosen) return *chosen;
        if (!has(key) && otherwise) return *otherwise;
        const toml::node& node = required(key);
        const auto word = node.value<std::string>();
        if (!node.is_string() || !word) wrong(node, key, "a word in quotes");
        const Value value = value_named(*word, place(node, key));
        if (chosen && *chosen != value)
            refuse(&node,
                   fmt::format("it says {} = \"{}\", but the command line differs", key, *word),
                   "change the file, or leave the option out");
        return value;
    }

  private:
    std::string within() const { return name_.empty() ? "" : " in " + name_; }
    std::string place(const toml::node& node, std::string_view key) const {
        return fmt::format("{} '{}:{}', {}", source_.noun, source_.path, node.source().begin.line,
                           key);
    }
    const toml::node& required(std::string_view key) const {
        const toml::node* const node = table_.get(key);
        if (!node) refuse(nullptr, fmt::format("'{}' is missing{}", key, within()), "add it");
        return *node;
    }
    [[noreturn]] void wrong(const toml::node& node, std::string_view key,
                            const char* wanted) const {
        refuse(&node, fmt::format("'{}'{} is not {}", key, within(), wanted), "correct it");
    }

    const TextSource& source_;
    const toml::table& table_;
    std::string name_;
};

}  // namespace tessera::io

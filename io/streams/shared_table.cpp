#include "io/streams/shared_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

constexpr std::int64_t most_streams = 1'000'000;

std::string place_of(const TextSource& source, const toml::node& node) {
    return fmt::format("{}:{}", source.path, std::max<std::size_t>(node.source().begin.line, 1));
}

[[noreturn]] void refuse(const TextSource& source, const toml::node& node, const std::string& why,
                         const std::string& what_to_do) {
    throw Error(fmt::format("cannot read {} '{}'", source.noun, place_of(source, node)), why,
                what_to_do);
}

[[noreturn]] void refuse_form(const TextSource& source, const toml::node& node,
                              std::string_view name) {
    refuse(source, node,
           fmt::format("'{}' in fit.shared does not say which parameters of which stream",
                       one_line(name, 40)),
           "write: name = { stream = 1, parameters = [\"sigma\", \"theta\", \"phi\"] }");
}

}  // namespace

std::vector<SharedParameter> read_shared(const TextSource& source, const toml::node& node) {
    if (!node.is_table())
        refuse(source, node, "'shared' in fit is not a table", "write [fit.shared]");
    std::vector<SharedParameter> shared;
    for (const auto& [key, entry] : *node.as_table()) {
        const std::string_view name = key.str();
        const toml::table* table = entry.as_table();
        const toml::array* listed = table ? table->get_as<toml::array>("parameters") : nullptr;
        const toml::node* stream = table ? table->get("stream") : nullptr;
        const std::int64_t number =
            stream && stream->is_integer() ? stream->value_or(std::int64_t{0}) : 0;
        if (!listed || listed->empty() || number < 1 || number > most_streams || table->size() != 2)
            refuse_form(source, entry, name);
        for (const toml::node& one : *listed) {
            if (!one.is_string()) refuse_form(source, one, name);
            const std::string field = one.value<std::string>().value_or("");
            shared.push_back({fmt::format("stream{}.{}", number, field),
                              fmt::format("{}.{}", name, field), place_of(source, one)});
        }
    }
    return shared;
}

}  // namespace tessera::io

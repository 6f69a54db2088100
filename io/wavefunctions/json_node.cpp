#include "io/wavefunctions/json_node.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

void JsonNode::fail(const std::string& why) const {
    throw Error("cannot read wavefunction '" + source_->path + "'",
                "'" + one_line(name_, 60) + "' " + why, "write it again with basis and orbitals");
}

bool JsonNode::has(const std::string& key) const {
    const auto found = value_->is_object() ? value_->find(key) : value_->end();
    return found != value_->end() && !found->is_null();
}

JsonNode JsonNode::at(const std::string& key) const {
    const std::string name = name_.empty() ? key : name_ + "." + key;
    if (!has(key)) JsonNode(*value_, name, *source_).fail("is missing");
    return {value_->at(key), name, *source_};
}

std::vector<JsonNode> JsonNode::elements() const {
    if (!value_->is_array()) fail("is not an array");
    std::vector<JsonNode> nodes;
    for (std::size_t i = 0; i < value_->size(); ++i)
        nodes.emplace_back((*value_)[i], name_ + "[" + std::to_string(i) + "]", *source_);
    return nodes;
}

// The basis sets of the Basis Set Exchange have numbers as texts.
double JsonNode::number() const {
    double number = HUGE_VAL;
    if (value_->is_number()) {
        number = value_->get<double>();
    } else if (value_->is_string()) {
        const TextSource source{source_->path, value_->get<std::string>()};
        TextScanner(source).number(number);
    }
    if (!std::isfinite(number)) fail("is not a number");
    return number;
}

int JsonNode::integer(int low, int high) const {
    const double value = number();
    if (!(value >= low && value <= high) || value != std::floor(value))
        fail("is not a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    return static_cast<int>(value);
}

bool JsonNode::is_text() const { return value_->is_string(); }

std::string JsonNode::text() const {
    if (!value_->is_string()) fail("is not a text");
    return one_line(value_->get<std::string>());
}

bool JsonNode::boolean() const {
    if (!value_->is_boolean()) fail("is neither true nor false");
    return value_->get<bool>();
}

void JsonNode::collect(const nlohmann::json& value, int depth, std::vector<double>& numbers) const {
    if (!value.is_array() || depth == 0) {
        numbers.push_back(JsonNode(value, "a value of " + name_, *source_).number());
        return;
    }
    for (const nlohmann::json& element : value) collect(element, depth - 1, numbers);
}

std::vector<double> JsonNode::numbers(std::size_t size) const {
    if (!value_->is_array()) fail("is not an array");
    std::vector<double> numbers;
    collect(*value_, 2, numbers);
    if (size != 0 && numbers.size() != size)
        fail("has " + counted(numbers.size(), "value") + ", not " + std::to_string(size));
    return numbers;
}

}  // namespace tessera::io

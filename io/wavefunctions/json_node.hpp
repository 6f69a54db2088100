// Values of a JSON document. Errors name the file and the place in the document.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// A value, and its name, such as "wavefunction.basis". The document must outlive it.
class JsonNode {
  public:
    JsonNode(const nlohmann::json& value, std::string name, const TextSource& source)
        : value_(&value), name_(std::move(name)), source_(&source) {}

    bool has(const std::string& key) const;
    /// Throws Error if this is not an object with that key.
    JsonNode at(const std::string& key) const;
    /// The elements of an array.
    std::vector<JsonNode> elements() const;

    double number() const;
    int integer(int low, int high) const;
    std::string text() const;
    bool boolean() const;
    /// The numbers of an array, or of arrays in it. `size` is their number, or 0 for any.
    std::vector<double> numbers(std::size_t size = 0) const;
    bool is_text() const;
    [[noreturn]] void fail(const std::string& why) const;

  private:
    void collect(const nlohmann::json& value, int depth, std::vector<double>& numbers) const;

    const nlohmann::json* value_;
    std::string name_;
    const TextSource* source_;
};

}  // namespace tessera::io

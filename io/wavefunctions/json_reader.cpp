#include "io/wavefunctions/json_reader.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

bool is_json(const TextSource& source) {
    const std::size_t first = source.text.find_first_not_of(" \t\r\n");
    return first != std::string::npos && source.text[first] == '{';
}

Wavefunction read_json(const TextSource& source) {
    const std::string problem = "cannot read wavefunction '" + source.path + "'";
    nlohmann::json document;
    try {
        document = nlohmann::json::parse(source.text);
    } catch (const nlohmann::json::exception& error) {
        throw Error(problem, one_line(error.what(), 120), "it may be truncated; copy it again");
    }
    const JsonNode root(document, "", source);
    if (root.has("Molecule")) return read_orca_json(root, source.path);
    if (root.has("molecule") || root.has("schema_name")) return read_qcschema(root, source.path);
    throw Error(problem, "it is JSON, but neither QCSchema nor of orca_2json",
                "give a file with molecule and wavefunction");
}

}  // namespace tessera::io

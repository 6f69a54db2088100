// Wavefunctions in JSON: QCSchema, and the files of ORCA's orca_2json.
#pragma once

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/json_node.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// True if the first character is '{'.
bool is_json(const TextSource& source);

/// Reads a document of either kind. Throws Error that names the file and what is wrong in it.
Wavefunction read_json(const TextSource& source);

/// QCSchema as QCElemental 0.51 models it (AtomicResult with the property `wavefunction`).
Wavefunction read_qcschema(const JsonNode& root, const std::string& path);

/// The document of orca_2json, as trexio_tools 0.10 reads it.
Wavefunction read_orca_json(const JsonNode& root, const std::string& path);

}  // namespace tessera::io

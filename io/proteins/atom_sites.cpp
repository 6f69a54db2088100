#include "io/proteins/atom_sites.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "io/proteins/atom_fields.hpp"
#include "io/proteins/mmcif_atoms.hpp"
#include "io/proteins/pdb_atoms.hpp"

namespace tessera::io {

namespace {

bool looks_like_mmcif(const std::string& text) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line =
            trimmed_field(std::string_view(text).substr(begin, end - begin));
        if (!line.empty() && line[0] != '#') return upper_case(line.substr(0, 5)) == "DATA_";
        begin = end + 1;
    }
    return false;
}

std::vector<AtomSites> read_models(const std::string& text, const std::string& path, Models which) {
    std::vector<AtomSites> models = looks_like_mmcif(text) ? read_mmcif_atoms(text, path, which)
                                                           : read_pdb_atoms(text, path, which);
    if (models.front().sites.empty())
        throw Error(structure_problem(path), "it has no ATOM or HETATM records",
                    "give a PDB or mmCIF file");
    return models;
}

}  // namespace

AtomSites read_atom_sites(const std::string& text, const std::string& path) {
    return std::move(read_models(text, path, Models::first).front());
}

std::vector<AtomSites> read_model_sites(const std::string& text, const std::string& path) {
    return read_models(text, path, Models::all);
}

}  // namespace tessera::io

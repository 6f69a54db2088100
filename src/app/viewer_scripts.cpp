#include "app/viewer_scripts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>

#include "io/files/whole_file.hpp"

namespace tessera::app {

namespace {

namespace fs = std::filesystem;

/// Colours that stay apart for colour-blind readers (Okabe & Ito 2008), then lighter ones.
constexpr std::array<const char*, 10> colours = {"#d55e00", "#0072b2", "#009e73", "#e69f00",
                                                 "#cc79a7", "#56b4e9", "#f0e442", "#8c510a",
                                                 "#80cdc1", "#9970ab"};

/// Further clusters are hidden at first, so that the receptor can be seen.
constexpr std::size_t shown_at_first = 3;

std::string colour_of(std::size_t cluster) { return colours[cluster % colours.size()]; }

/// The path of a file as seen from the folder of the script.
std::string beside(const std::string& script, const std::string& file) {
    const fs::path folder = fs::absolute(script).parent_path();
    return fs::absolute(file).lexically_normal().lexically_relative(folder.lexically_normal());
}

/// A text in double quotes, with a backslash before what would end it.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

void write_file(const std::string& path, const std::string& text) {
    io::WholeFile file(path);
    file.write(text);
    file.commit();
}

std::string pymol_chains(const std::vector<std::string>& chains) {
    return fmt::format("chain {}", fmt::join(chains, "+"));
}

/// ChimeraX's name for the chains of model `model`.
std::string chimerax_chains(const std::string& model, const std::vector<std::string>& chains) {
    return fmt::format("#{}/{}", model, fmt::join(chains, ","));
}

}  // namespace

void write_pymol_script(const std::string& path, const ShownClusters& shown) {
    std::string text = fmt::format("# {}\n", shown.title) +
                       "python\n"
                       "import os\n"
                       "from pymol import cmd\n"
                       "here = os.path.dirname(os.path.abspath(__script__))\n";
    for (std::size_t f = 0; f < shown.files.size(); ++f)
        text += fmt::format(
            "cmd.load(os.path.join(here, {}), {})\n", quoted(beside(path, shown.files[f])),
            shown.files.size() == 1 ? "\"models\"" : fmt::format("\"model_{}\"", f + 1));
    text += "python end\n";
    const std::string receptor = pymol_chains(shown.receptor_chains);
    const std::string ligand = pymol_chains(shown.ligand_chains);
    const bool one_file = shown.files.size() == 1;
    text += fmt::format("create receptor, {} and {}, 1, 1\n", one_file ? "models" : "model_1",
                        receptor);
    for (std::size_t c = 0; c < shown.clusters; ++c)
        text += fmt::format("create cluster_{0}, {1} and {2}, {3}, 1\n", c + 1,
                            one_file ? "models" : fmt::format("model_{}", c + 1), ligand,
                            one_file ? c + 1 : 1);
    text += one_file ? "delete models\n" : "delete model_*\n";
    text += "hide everything\nbg_color white\nshow cartoon\ncolor grey80, receptor\n";
    for (std::size_t c = 0; c < shown.clusters; ++c)
        text += fmt::format("color 0x{0}, cluster_{1}\n"
                            "select interface_{1}, byres ((receptor within 5 of cluster_{1}) or "
                            "(cluster_{1} within 5 of receptor))\n"
                            "show sticks, interface_{1} and cluster_{1}\n",
                            colour_of(c).substr(1), c + 1);
    text += "# The residues of the receptor beside the first cluster.\n"
            "show sticks, interface_1 and receptor\n"
            "set cartoon_side_chain_helper, on\nutil.cnc\ndeselect\n";
    for (std::size_t c = shown_at_first; c < shown.clusters; ++c)
        text += fmt::format("disable cluster_{}\n", c + 1);
    text += "orient visible\n";
    write_file(path, text);
}

void write_chimerax_script(const std::string& path, const ShownClusters& shown) {
    // In a file of several models, ChimeraX numbers them 1.1, 1.2, …
    const bool one_file = shown.files.size() == 1 && shown.clusters > 1;
    const auto model = [&](std::size_t c) {
        return one_file ? fmt::format("1.{}", c + 1) : std::to_string(c + 1);
    };
    std::string text = fmt::format("# {}\n", shown.title);
    for (const std::string& file : shown.files)
        text += fmt::format("open {}\n", quoted(beside(path, file)));
    for (std::size_t c = 1; c < shown.clusters; ++c)
        text += fmt::format("delete {}\n", chimerax_chains(model(c), shown.receptor_chains));
    const std::string receptor = chimerax_chains(model(0), shown.receptor_chains);
    text +=
        fmt::format("set bgColor white\nhide atoms\nshow cartoons\ncolor {} lightgray\n", receptor);
    for (std::size_t c = 0; c < shown.clusters; ++c) {
        const std::string ligand = chimerax_chains(model(c), shown.ligand_chains);
        text += fmt::format("color {} {}\nshow ({} :<5) & {} atoms\n", ligand, colour_of(c),
                            receptor, ligand);
    }
    // The residues of the receptor beside the first cluster.
    text += fmt::format("show ({} :<5) & {} atoms\ncolor byhetero\n",
                        chimerax_chains(model(0), shown.ligand_chains), receptor);
    for (std::size_t c = shown_at_first; c < shown.clusters; ++c)
        text += fmt::format("hide #{} models\n", model(c));
    write_file(path, text + "style stick\nview\n");
}

}  // namespace tessera::app

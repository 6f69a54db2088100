#include "orbitals/result/listing.hpp"

#include <fmt/format.h>

#include <memory>

#include "core/units.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/selection.hpp"

namespace tessera::orbitals {

namespace {

const char* name_of(io::Spin spin) { return spin == io::Spin::alpha ? "alpha" : "beta"; }

std::string frame_text(const OrbitalFrame& frame) {
    const io::Wavefunction& w = frame.wavefunction;
    std::string text = fmt::format("frame {} of {}: {}, {}\n{:>6} {:<10} {:<5} {:>16} {:>14} {:>10}"
                                   "   {}\n",
                                   frame.number, w.path, io::counted(w.nuclei.size(), "atom"),
                                   io::counted(w.orbitals.size(), "orbital"), "number", "symmetry",
                                   "spin", "energy/hartree", "energy/eV", "occupation", "choose");
    const auto words = choosing_words(w);
    for (std::size_t i = 0; i < w.orbitals.size(); ++i) {
        const io::MolecularOrbital& o = w.orbitals[i];
        text += fmt::format("{:>6} {:<10} {:<5} {:>16.6f} {:>14.4f} {:>10.4f}", i + 1,
                            io::one_line(o.symmetry, 20), name_of(o.spin), o.energy,
                            o.energy * units::hartree_in_ev, o.occupation);
        text += words[i].empty() ? "\n" : "   " + words[i] + "\n";
    }
    return text;
}

}  // namespace

io::ValueTable listing_table(const std::vector<OrbitalFrame>& frames) {
    struct Place {
        const OrbitalFrame& frame;
        std::size_t orbital = 0;
        std::string words;
    };
    const auto places = std::make_shared<std::vector<Place>>();
    for (const OrbitalFrame& frame : frames) {
        const auto words = choosing_words(frame.wavefunction);
        for (std::size_t i = 0; i < words.size(); ++i) places->push_back({frame, i, words[i]});
    }
    const auto row = [places](std::int64_t index) {
        const Place& place = (*places)[static_cast<std::size_t>(index)];
        const io::Wavefunction& w = place.frame.wavefunction;
        const io::MolecularOrbital& o = w.orbitals[place.orbital];
        return std::vector<io::Cell>{std::int64_t{place.frame.number},
                                     w.path,
                                     static_cast<std::int64_t>(place.orbital) + 1,
                                     o.symmetry,
                                     name_of(o.spin),
                                     o.energy,
                                     o.energy * units::hartree_in_ev,
                                     o.occupation,
                                     place.words};
    };
    using Kind = io::TableColumn::Kind;
    return {{{"frame", Kind::whole},
             {"file", Kind::text},
             {"number", Kind::whole},
             {"symmetry", Kind::text},
             {"spin", Kind::text},
             {"energy_hartree", Kind::real, "hartree"},
             {"energy_ev", Kind::real, "eV"},
             {"occupation"},
             {"choose", Kind::text}},
            std::ssize(*places),
            row};
}

std::string listing_text(const std::vector<OrbitalFrame>& frames) {
    std::string text;
    for (const OrbitalFrame& frame : frames) text += frame_text(frame);
    return text;
}

}  // namespace tessera::orbitals

#include "app/picture_options.hpp"

#include <charconv>
#include <map>

#include "app/option_checks.hpp"
#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/text_lists.hpp"

namespace tessera::app {

namespace {

constexpr int smallest_side = 64, largest_side = 16000;  // pixels

/// The whole text as a number of pixels, or 0.
int side_of(std::string_view text) {
    int side = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), side);
    const bool fits = code == std::errc() && end == text.data() + text.size() &&
                      side >= smallest_side && side <= largest_side;
    return fits ? side : 0;
}

}  // namespace

void PictureOptions::declare(CLI::App& command) {
    auto* render = command.add_option(
        "--render", path,
        "PNG file for a picture of the isosurface of an orbital run with atoms and bonds; for "
        "several surfaces or frames a.png stands for a-HOMO.png, a-0002_HOMO.png ...");
    const auto add = [&](const char* name, auto& value, const char* help) {
        return command.add_option(name, value, help)->needs(render);
    };
    add("--render-surface", surface, "draw this surface only, such as HOMO; default: all")
        ->check(not_empty("a name of a surface"));
    add("--render-frame", frame, "draw this frame only; default: all")
        ->default_str("")
        ->check(whole_number<std::int64_t>(1));
    add("--render-view", view,
        "from where one looks: tilted, front, edge or end, along the principal axes of the "
        "molecule, or the direction X,Y,Z in the axes of the file");
    add("--render-size", size, "WIDTHxHEIGHT in pixels");
    add("--render-background", background, "white or transparent")
        ->check(CLI::IsMember({"white", "transparent"}));
    add("--render-opacity", opacity, "opacity of the surface, up to 1")->check(number_above_0(1));
    add("--render-color", color,
        "colour the surface by this field of --vertex-field, and add a scale")
        ->check(not_empty("a name of a vertex field"));
    add("--render-range", range,
        "value at the ends of the scale of --render-color; default: the largest value")
        ->default_str("")
        ->check(number_above_0(1e30));
}

void PictureOptions::check() const {
    if (path.empty()) return;
    parse_view(view);
    parse_size(size);
    if (!path.ends_with(".png"))
        throw Error("cannot write '" + io::one_line(path) + "'", "pictures are PNG files",
                    "give a name that ends with .png");
    if (range > 0 && color.empty())
        throw Error("--render-range: there is no scale", "the surface has the colours of its lobes",
                    "add --render-color FIELD, or leave --render-range out");
}

io::ViewPoint parse_view(const std::string& text) {
    static const std::map<std::string, io::ViewPoint> named{{"tilted", io::tilted_view},
                                                            {"front", io::front_view},
                                                            {"edge", io::edge_view},
                                                            {"end", io::end_view}};
    if (const auto found = named.find(text); found != named.end()) return found->second;
    std::vector<double> numbers;
    for (const std::string& piece : orbitals::split_list(text))
        if (const auto number = orbitals::real_number(piece)) numbers.push_back(*number);
    const auto commas = static_cast<std::size_t>(std::ranges::count(text, ','));
    if (numbers.size() == 3 && commas == 2)
        if (const Vec3 from{numbers[0], numbers[1], numbers[2]};
            norm(from) > 1e-6 && norm(from) < 1e6)
            return {from, {0, 0, 1}, false};
    throw Error("--render-view: cannot read '" + io::one_line(text) + "'",
                "it is neither tilted, front, edge or end nor a direction",
                "give a direction as three numbers, such as --render-view 1,-2,0.5");
}

PictureSize parse_size(const std::string& text) {
    const std::size_t cross = text.find('x');
    if (cross != std::string::npos) {
        const std::string_view all(text);
        const PictureSize size{side_of(all.substr(0, cross)), side_of(all.substr(cross + 1))};
        if (size.width > 0 && size.height > 0) return size;
    }
    throw Error("--render-size: cannot read '" + io::one_line(text) + "'",
                "sides are whole numbers of pixels from " + std::to_string(smallest_side) + " to " +
                    std::to_string(largest_side),
                "give width and height, such as --render-size 1600x1200");
}

}  // namespace tessera::app

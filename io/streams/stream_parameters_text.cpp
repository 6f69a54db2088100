// The text half of io/streams/stream_formats.hpp: MilkyWay@Home's parameter files. Each line is
// "name[n]: value, value", in a fixed order.
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "io/streams/stream_formats.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// "stream_step" of "stream_step[5]: 0.1, ..."; for a line without a colon, the text before any
/// bracket.
std::string_view name_before_colon(std::string_view line) {
    return trimmed(line.substr(0, std::min(line.find(':'), line.find('['))));
}

/// Reads lines in order; each is requested by its name.
class NamedLines {
  public:
    explicit NamedLines(const TextSource& source) : source_(source), scanner_(source) {
        scanner_.skip_empty_lines();
    }

    bool at_end() const { return scanner_.at_end(); }
    bool next_is(std::string_view name) const {
        TextScanner ahead = scanner_;
        return name_before_colon(ahead.rest_of_line()) == name;
    }
    void skip(std::string_view name) { take(name); }
    void skip_if_next(std::string_view name) {
        if (next_is(name)) skip(name);
    }
    double number(std::string_view name) { return numbers(name, 1)[0]; }
    int integer(std::string_view name) {
        const auto [values, where] = take(name);
        int value = 0;
        TextScanner scanner(source_, values);
        if (!scanner.integer(value) || !scanner.line_is_over())
            scanner_.fail_at(where, "'" + std::string(name) + "' needs a whole number", correct);
        return value;
    }
    std::vector<double> numbers(std::string_view name, std::size_t count) {
        const auto [values, where] = take(name);
        std::vector<double> numbers;
        for (const std::string_view part : split(values)) {
            TextScanner scanner(source_, part);
            double value = 0;
            if (!scanner.number(value) || !scanner.line_is_over())
                scanner_.fail_at(where, "'" + one_line(part, 40) + "' is not a finite number",
                                 correct);
            numbers.push_back(value);
        }
        if (numbers.size() != count)
            scanner_.fail_at(where,
                             "'" + std::string(name) + "' needs " + counted(count, "number") +
                                 " and has " + std::to_string(numbers.size()),
                             correct);
        return numbers;
    }
    /// "min, max, steps".
    Cells cells(std::string_view name) {
        const char* const where = scanner_.position();
        const std::vector<double> values = numbers(name, 3);
        const Cells cells{values[0], values[1], static_cast<int>(std::clamp(values[2], -1e9, 1e9))};
        if (cells.steps != values[2] || cells.steps % 2 != 0)
            scanner_.fail_at(where,
                             "the steps of '" + std::string(name) + "' are not an even number",
                             "choose an even number of steps");
        return cells;
    }
    /// Refuses the line that was read last.
    [[noreturn]] void fail(const std::string& why, const std::string& what_to_do) const {
        scanner_.fail_at(last_, why, what_to_do);
    }

  private:
    struct Taken {
        std::string_view values;
        const char* where;
    };
    static constexpr const char* correct = "correct the line";

    Taken take(std::string_view name) {
        if (at_end()) scanner_.fail("it ends before '" + std::string(name) + ":'", "copy it again");
        const char* const where = last_ = scanner_.position();
        const std::string_view line = scanner_.rest_of_line();
        const std::size_t colon = line.find(':');
        if (name_before_colon(line) != name || colon == std::string_view::npos)
            scanner_.fail_at(where,
                             "the line should begin with '" + std::string(name) + ":' but is '" +
                                 one_line(line, 40) + "'",
                             "keep the order of the lines");
        scanner_.skip_empty_lines();
        return {line.substr(colon + 1), where};
    }
    static std::vector<std::string_view> split(std::string_view values) {
        std::vector<std::string_view> parts;
        for (std::size_t comma = values.find(','); comma != std::string_view::npos;
             comma = values.find(',')) {
            parts.push_back(trimmed(values.substr(0, comma)));
            values.remove_prefix(comma + 1);
        }
        parts.push_back(trimmed(values));
        return parts;
    }

    const TextSource& source_;
    TextScanner scanner_;
    const char* last_ = source_.text.data();
};

/// All known files of the application have a version in hundredths (0.01, 0.04). The first and the
/// last ones lack the line. The layout is recognised by the other lines.
void check_version(NamedLines& lines) {
    if (!lines.next_is("parameters_version")) return;
    const double version = lines.number("parameters_version");
    if (!(version > 0 && version < 1))
        lines.fail("parameters_version is not known",
                   "give a file of the application, such as one of version 0.04");
}

/// Returns the model whose layout the file has.
Model read_background(NamedLines& lines, Background& background) {
    check_version(lines);
    if (lines.integer("number_parameters") != 4)
        lines.fail("number_parameters is not 4", "give a background of four parameters");
    background.epsilon = lines.number("background_weight");
    const bool later = lines.next_is("background_weight_step");
    if (later)
        for (const char* name : {"background_weight_step", "background_weight_min",
                                 "background_weight_max", "optimize_background_weight"})
            lines.skip(name);
    const std::vector<double> values = lines.numbers("background_parameters", 4);
    background.alpha = values[0];
    background.q = values[1];
    background.r0 = values[2];
    background.delta = values[3];
    for (const char* name :
         {"background_step", "background_min", "background_max", "optimize_parameter"})
        lines.skip(name);
    return later ? Model::model2018 : Model::classic;
}

Stream read_stream(NamedLines& lines) {
    Stream stream;
    stream.epsilon = lines.number("stream_weight");
    for (const char* name :
         {"stream_weight_step", "stream_weight_min", "stream_weight_max", "optimize_weight"})
        lines.skip(name);
    const std::vector<double> values = lines.numbers("stream_parameters", 5);
    stream.mu = values[0];
    stream.r = values[1];
    stream.theta = values[2];
    stream.phi = values[3];
    stream.sigma = values[4];
    for (const char* name : {"stream_step", "stream_min", "stream_max", "optimize_parameter"})
        lines.skip(name);
    return stream;
}

void read_streams(NamedLines& lines, std::vector<Stream>& streams) {
    const std::vector<double> counts = lines.numbers("number_streams", 2);
    if (counts[0] < 0 || counts[0] != std::floor(counts[0]) || counts[1] != 5)
        lines.fail("number_streams must be the number of streams and 5", "correct the line");
    while (static_cast<double>(streams.size()) < counts[0]) streams.push_back(read_stream(lines));
}

void read_areas(NamedLines& lines, std::vector<Area>& areas) {
    areas.push_back({lines.cells("r"), lines.cells("mu"), lines.cells("nu")});
    const int cuts = lines.integer("number_cuts");
    if (cuts < 0) lines.fail("number_cuts is negative", "give 0 where there is no cut");
    for (int cut = 0; cut < cuts; ++cut)
        areas.push_back({lines.cells("r_cut"), lines.cells("mu_cut"), lines.cells("nu_cut")});
}

}  // namespace

bool is_text_parameters(const TextSource& source) {
    TextScanner scanner(source);
    scanner.skip_empty_lines();
    while (scanner.peek() == '#') {
        scanner.next_line();
        scanner.skip_empty_lines();
    }
    const std::string_view line = scanner.rest_of_line();
    return line.find(':') < line.find_first_of("=\"'");
}

StreamModel parse_text_parameters(const TextSource& source, const ModelChoices& choices) {
    NamedLines lines(source);
    StreamModel model;
    const Model layout = read_background(lines, model.background);
    read_streams(lines, model.streams);
    model.convolve = lines.integer("convolve");
    if (lines.integer("sgr_coordinates") != 0)
        lines.fail("sgr_coordinates is not 0", "give the wedge in stripe coordinates");
    lines.skip_if_next("aux_bg_profile");  // the application takes a, b and c from Lua files only
    model.wedge = lines.integer("wedge");
    read_areas(lines, model.areas);
    if (!lines.at_end())
        lines.fail("it continues after this line", "correct number_cuts, or remove the rest");
    model.model = choices.model.value_or(layout);
    if (model.model != layout)
        model.warnings.push_back(
            "'" + one_line(source.path) + "' has the layout of the " + name_of(layout) +
            " model and is read as the " + name_of(model.model) +
            " one, which MilkyWay@Home's application refuses: its background_weight is taken as " +
            (layout == Model::classic ? "the halo's share, 0 to 1" : "a log weight"));
    model.turnoff = choices.turnoff.value_or(Turnoff::gaussian);
    model.background.profile = choices.profile.value_or(Profile::hernquist);
    return model;
}

}  // namespace tessera::io

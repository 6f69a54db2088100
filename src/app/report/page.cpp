#include "app/report/page.hpp"

#include <array>
#include <fstream>

#include "core/error.hpp"
#include "io/files/data_files.hpp"

namespace tessera::app {

namespace {

/// Hands on a file in pieces: the library of the viewer has more than a megabyte.
void copy_file(const std::string& path, const io::TextSink& sink) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 1 << 16> piece;
    while (file.read(piece.data(), piece.size()), file.gcount() > 0)
        sink({piece.data(), static_cast<std::size_t>(file.gcount())});
    if (!file.eof())
        throw Error("cannot read '" + path + "'", "a part of the report",
                    "install the program again");
}

std::string text_of(const std::string& path) {
    std::string text;
    copy_file(path, [&](std::string_view piece) { text += piece; });
    return text;
}

std::string part(const std::string& name) { return io::data_file("report/" + name); }

void put_replaced(std::string_view text, char from, std::string_view to, const io::TextSink& sink) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from)) {
        sink(text.substr(0, at));
        sink(to);
        text.remove_prefix(at + 1);
    }
    sink(text);
}

std::string replaced(const std::string& text, char from, std::string_view to) {
    std::string result;
    put_replaced(text, from, to, [&](std::string_view piece) { result += piece; });
    return result;
}

/// JSON in which no markup can begin.
void put_data(const nlohmann::ordered_json& data, const io::TextSink& sink) {
    put_replaced(data.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace), '<',
                 "\\u003c", sink);
}

void put_scripts(const io::TextSink& sink) {
    for (const char* name :
         {"elements.js", "plots.js", "tables.js", "viewer.js", "docking.js", "orbital_facts.js",
          "orbitals.js", "fit.js", "sample.js", "streams.js", "screening.js", "page.js"})
        copy_file(part(name), sink);
}

/// The library of the viewer with its licences, or nothing.
void put_viewer_library(const io::TextSink& sink) {
    const auto library = io::optional_data_file("report/viewer_library.js");
    const auto notices = io::optional_data_file("report/viewer_licences.txt");
    if (!library || !notices) return;
    sink("<script type=\"text/plain\" id=\"licences\">\n");
    put_replaced(text_of(*notices), '<', "(", sink);
    sink("</script>\n<script>\n");
    copy_file(*library, sink);
    sink("</script>");
}

}  // namespace

void write_page(const std::string& title, const nlohmann::ordered_json& data,
                const io::TextSink& sink) {
    const std::string pattern = text_of(part("page.html"));
    std::size_t done = 0;
    const auto put_before = [&](const std::string& mark) {
        const std::size_t at = pattern.find(mark, done);
        if (at == std::string::npos)
            throw Error("cannot make the report", "its pattern page.html lacks " + mark,
                        "install the program again");
        sink(std::string_view(pattern).substr(done, at - done));
        done = at + mark.size();
    };
    put_before("@MARK@");
    sink(report_mark);
    put_before("@TITLE@");
    put_replaced(replaced(title, '&', "&amp;"), '<', "&lt;", sink);
    put_before("@STYLE@");
    copy_file(part("style.css"), sink);
    put_before("@DATA@");
    put_data(data, sink);
    put_before("@LIBRARY@");
    if (data.contains("docking") || data.contains("orbital")) put_viewer_library(sink);
    put_before("@SCRIPTS@");
    put_scripts(sink);
    sink(std::string_view(pattern).substr(done));
}

}  // namespace tessera::app

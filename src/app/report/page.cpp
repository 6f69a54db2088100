#include "app/report/page.hpp"

#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "io/files/data_files.hpp"

namespace tessera::app {

namespace {

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.good() && !file.eof())
        throw Error("cannot read '" + path + "'", "a part of the report",
                    "install the program again");
    return text;
}

std::string part(const std::string& name) { return text_of(io::data_file("report/" + name)); }

std::string replaced(const std::string& text, char from, const std::string& to) {
    std::string result;
    for (const char c : text) c == from ? result += to : result += c;
    return result;
}

/// JSON in which no markup can begin.
std::string embedded(const nlohmann::ordered_json& data) {
    return replaced(data.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace), '<',
                    "\\u003c");
}

std::string scripts() {
    std::string text;
    for (const char* name : {"elements.js", "plots.js", "tables.js", "viewer.js", "docking.js",
                             "orbitals.js", "fit.js", "sample.js", "streams.js", "page.js"})
        text += part(name);
    return text;
}

/// The library of the viewer with its licences, or nothing.
std::string viewer_library() {
    const auto library = io::optional_data_file("report/viewer_library.js");
    const auto notices = io::optional_data_file("report/viewer_licences.txt");
    if (!library || !notices) return "";
    return "<script type=\"text/plain\" id=\"licences\">\n" +
           replaced(text_of(*notices), '<', "(") + "</script>\n<script>\n" + text_of(*library) +
           "</script>";
}

}  // namespace

std::string report_page(const std::string& title, const nlohmann::ordered_json& data) {
    std::string page;
    const std::string pattern = part("page.html");
    std::size_t done = 0;
    const auto put = [&](const std::string& mark, const std::string& text) {
        const std::size_t at = pattern.find(mark, done);
        if (at == std::string::npos)
            throw Error("cannot make the report", "its pattern page.html lacks " + mark,
                        "install the program again");
        page += pattern.substr(done, at - done) + text;
        done = at + mark.size();
    };
    put("@MARK@", std::string(report_mark));
    put("@TITLE@", replaced(replaced(title, '&', "&amp;"), '<', "&lt;"));
    put("@STYLE@", part("style.css"));
    put("@DATA@", embedded(data));
    put("@LIBRARY@", viewer_library());
    put("@SCRIPTS@", scripts());
    return page + pattern.substr(done);
}

}  // namespace tessera::app

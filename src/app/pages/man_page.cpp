#include "app/pages/man_page.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace tessera::app {

namespace {

/// Text for roff: nothing in it is a request, and a hyphen can be copied into a terminal.
std::string roff(const std::string& text) {
    std::string written;
    bool begins_line = true;
    for (const char c : text) {
        if (begins_line && (c == '.' || c == '\'')) written += "\\&";
        written += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
        begins_line = c == '\n';
    }
    return written;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string upper_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
}

std::string synopsis(const CommandText& command) {
    std::string line =
        bold("tessera" + (command.path.empty() ? "" : " " + joined(command.path, " ")));
    line += " [" + italic("options") + "]";
    for (const OptionText& positional : command.positionals)
        line += " " + (positional.required ? italic(positional.names.front())
                                           : "[" + italic(positional.names.front()) + "]");
    return command.commands.empty() ? line : line + " " + italic("command");
}

std::string entry(const OptionText& option, bool positional) {
    std::string text = ".TP\n";
    for (std::size_t i = 0; i < option.names.size(); ++i)
        text += (i ? ", " : "") + (positional ? italic(option.names[i]) : bold(option.names[i]));
    if (!positional && !option.value.empty()) text += " " + italic(option.value);
    text += "\n" + roff(option.description);
    if (!option.limits.empty() && option.choices.empty()) text += " (" + roff(option.limits) + ")";
    if (!option.choices.empty()) text += "\n.br\nValues: " + roff(joined(option.choices, ", "));
    if (!option.fallback.empty()) text += "\n.br\nDefault: " + roff(option.fallback);
    if (option.required && !positional) text += "\n.br\nThis option is required.";
    return text + "\n";
}

std::string option_sections(const CommandText& command) {
    std::vector<std::string> groups;
    for (const OptionText& option : command.options)
        if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
    std::string text;
    for (const std::string& group : groups) {
        text += ".SH " + roff(upper_case(group)) + "\n";
        for (const OptionText& option : command.options)
            if (option.group == group) text += entry(option, false);
    }
    return text;
}

std::string command_section(const CommandText& command) {
    if (command.commands.empty()) return "";
    std::string text = ".SH COMMANDS\n";
    for (const CommandText& below : command.commands)
        text += ".TP\n\\fB" + roff(page_name(below)) + "\\fR(1)\n" + roff(below.description) + "\n";
    return text;
}

/// The footer of --help: examples, and remarks on them.
std::string footer_section(const CommandText& command) {
    if (command.footer.empty()) return "";
    return ".SH NOTES\n.nf\n" + roff(command.footer) + "\n.fi\n";
}

}  // namespace

std::string page_name(const CommandText& command) {
    return command.path.empty() ? "tessera" : "tessera-" + joined(command.path, "-");
}

std::string man_page(const CommandText& command, const std::string& version) {
    const std::string name = page_name(command), title = "tessera " + version + ": ";
    const std::string& said = command.description;
    const std::string purpose = said.starts_with(title) ? said.substr(title.size()) : said;
    std::string text = ".TH " + upper_case(name) + " 1 \"\" \"tessera " + version +
                       "\" \"User Commands\"\n.SH NAME\n" + roff(name) + " \\- " + roff(purpose) +
                       "\n.SH SYNOPSIS\n" + synopsis(command) + "\n";
    if (!command.positionals.empty()) text += ".SH ARGUMENTS\n";
    for (const OptionText& positional : command.positionals) text += entry(positional, true);
    text += command_section(command) + option_sections(command) + footer_section(command);
    if (!command.path.empty()) text += ".SH SEE ALSO\n.BR tessera (1)\n";
    return text;
}

}  // namespace tessera::app

#include "app/rerun_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/config_file.hpp"
#include "app/option_checks.hpp"
#include "app/schedule_options.hpp"
#include "core/error.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/text/one_line.hpp"
#include "io/text/option_file.hpp"

namespace tessera::app {

void ExpectedInput::check(const std::string& found) const {
    if (!file.empty() && found != sha256)
        throw Error("cannot run '" + io::one_line(file) + "' again",
                    "an input file, or what an option means, has changed since",
                    "restore the files, or take its options: tessera export " + io::one_line(file) +
                        " --config run.toml");
}

ExpectedInput result_input(const std::string& path) {
    const auto file = io::open_result(path);
    return {path, file.root().open_group("run").read_attribute<std::string>("input_sha256")};
}

namespace {

namespace fs = std::filesystem;

/// What a result says about its command.
struct FormerCommand {
    std::string name, config;
};

FormerCommand command_of(const std::string& path) {
    const auto file = io::open_result(path);
    const auto run = file.root().open_group("run");
    if (file.root().read_attribute<std::string>("workload") == "screen")
        throw Error("cannot run '" + io::one_line(path) + "' again",
                    "it is one of the files of a screening", "give the folder of the screening");
    if (run.has_attribute("no_command"))
        throw Error("cannot run '" + io::one_line(path) + "' again",
                    io::one_line(run.read_attribute<std::string>("no_command"), 120),
                    "make it again in Python, or write files and give them to the command");
    if (!run.has_attribute("config"))
        throw Error("cannot run '" + io::one_line(path) + "' again",
                    "it does not hold the options of its command",
                    "give the command again; tessera info " + io::one_line(path) + " shows it");
    return {run.has_attribute("command") ? run.read_attribute<std::string>("command")
                                         : file.root().read_attribute<std::string>("workload"),
            run.read_attribute<std::string>("config")};
}

/// The options of a run over many pairs: those of a screening, or from the first of its results
/// that holds them.
FormerCommand command_of_pairs(const std::string& folder) {
    if (const std::string options = (fs::path(folder) / "screen.toml").string();
        fs::exists(options))
        return {"screen", io::read_option_text(options).text};
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".h5") names.push_back(entry.path().string());
    std::ranges::sort(names);
    for (const std::string& name : names) {
        const auto file = io::open_result(name);
        const auto run = file.root().open_group("run");
        if (run.has_attribute("pairs_config"))
            return {"dock", run.read_attribute<std::string>("pairs_config")};
    }
    throw Error("cannot run '" + io::one_line(folder) + "' again",
                "none of its files holds the options of tessera dock --pairs",
                "give the command again; tessera info FILE shows it");
}

}  // namespace

void RerunCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("rerun", "Run the command of a result again, with its options");
    command_->footer("Example:\n"
                     "  tessera rerun run.h5 -o again.h5\n"
                     "  tessera rerun results/ -o again/   # of dock --pairs or screen: all pairs\n"
                     "The input files must be unchanged and where they were.");
    auto& o = *command_;
    o.add_option("file", path_,
                 "result of dock, rescore, orbital, likelihood, fit or sample, or the folder of "
                 "dock --pairs or screen")
        ->required();
    o.add_option("-o,--output", output_,
                 "HDF5 file or folder to write; default: the result's name with .rerun before .h5");
    o.add_option("--device", device_, "what computes; default: as in the run")
        ->check(device_names())
        ->default_str("");
    o.add_option("--gpu-fraction", gpu_fraction_,
                 "part of a GPU's memory that a rank plans with; default: as in the run")
        ->check(number_above_0(1))
        ->default_str("");
    o.add_flag("--force", force_, "replace an existing output");
    o.add_flag("--quiet", quiet_, "print errors only");
}

std::string RerunCommand::output() const {
    if (!output_.empty()) return output_;
    const bool has_ending = path_.ends_with(".h5");
    std::string name = path_.substr(0, path_.size() - (has_ending ? 3 : 0));
    if (!fs::is_directory(path_)) return name + ".rerun.h5";
    while (name.size() > 1 && name.ends_with('/')) name.pop_back();
    return name + ".rerun";
}

ExpectedInput RerunCommand::expected() const {
    return fs::is_directory(path_) ? ExpectedInput{path_, ""} : result_input(path_);
}

std::vector<std::string> RerunCommand::words(const std::string& program,
                                             const CLI::App& options) const {
    const FormerCommand former =
        fs::is_directory(path_) ? command_of_pairs(path_) : command_of(path_);
    const CLI::App* command = nullptr;
    for (const CLI::App* one : options.get_subcommands([](const CLI::App*) { return true; }))
        if (one->get_name() == former.name) command = one;
    if (!command)
        throw Error("cannot run '" + io::one_line(path_) + "' again",
                    "there is no command tessera " + io::one_line(former.name),
                    "use the version of the program that wrote it");
    for (const auto& [option, given] :
         {std::pair{"--device", !device_.empty()}, std::pair{"--gpu-fraction", gpu_fraction_ > 0}})
        if (given && !command->get_option_no_throw("--device"))
            throw Error(std::string(option) + " cannot be used here",
                        "tessera " + former.name + " computes on no device",
                        std::string("leave ") + option + " out");
    auto given = io::parse_option_file({path_, former.config, "options of"});
    std::erase_if(given, [&](const io::FileOption& option) {
        return option.name == "output" || option.name == "cube" || option.name == "render" ||
               option.name == "force" || option.name == "quiet" ||
               (option.name == "device" && !device_.empty()) ||
               (option.name == "gpu-fraction" && gpu_fraction_ > 0);
    });
    std::vector<std::string> words{program, former.name, "--output=" + output()};
    if (!device_.empty()) words.push_back("--device=" + device_);
    if (gpu_fraction_ > 0) words.push_back(fmt::format("--gpu-fraction={}", gpu_fraction_));
    if (force_) words.emplace_back("--force");
    if (quiet_) words.emplace_back("--quiet");
    return with_options(words, *command, given);
}

}  // namespace tessera::app

#include "app/rerun_command.hpp"

#include "app/config_file.hpp"
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

void RerunCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("rerun", "Run the command of a result again, with its options");
    command_->footer("Example:\n"
                     "  tessera rerun run.h5 -o again.h5\n"
                     "The input files must be unchanged and where they were.");
    auto& o = *command_;
    o.add_option("file", path_, "result of dock, orbital, likelihood or fit")->required();
    o.add_option("-o,--output", output_,
                 "HDF5 file to write; default: the result's name with .rerun before .h5");
    o.add_option("--device", device_, "what computes; default: as in the run");
    o.add_flag("--force", force_, "replace an existing output");
    o.add_flag("--quiet", quiet_, "print errors only");
}

std::string RerunCommand::output() const {
    if (!output_.empty()) return output_;
    const bool has_ending = path_.ends_with(".h5");
    return path_.substr(0, path_.size() - (has_ending ? 3 : 0)) + ".rerun.h5";
}

ExpectedInput RerunCommand::expected() const {
    const auto file = io::open_result(path_);
    return {path_, file.root().open_group("run").read_attribute<std::string>("input_sha256")};
}

std::vector<std::string> RerunCommand::words(const std::string& program,
                                             const CLI::App& options) const {
    const auto file = io::open_result(path_);
    const auto run = file.root().open_group("run");
    if (!run.has_attribute("config"))
        throw Error("cannot run '" + io::one_line(path_) + "' again",
                    "it does not hold the options of its command",
                    "give the command again; tessera info " + io::one_line(path_) + " shows it");
    const auto workload = file.root().read_attribute<std::string>("workload");
    const CLI::App* command = nullptr;
    for (const CLI::App* one : options.get_subcommands([](const CLI::App*) { return true; }))
        if (one->get_name() == workload) command = one;
    if (!command) file.root().refuse("workload", "there is no command tessera " + workload);
    auto given =
        io::parse_option_file({path_, run.read_attribute<std::string>("config"), "options of"});
    std::erase_if(given, [&](const io::FileOption& option) {
        return option.name == "output" || option.name == "cube" || option.name == "force" ||
               option.name == "quiet" || (option.name == "device" && !device_.empty());
    });
    std::vector<std::string> words{program, workload, "--output=" + output()};
    if (!device_.empty()) words.push_back("--device=" + device_);
    if (force_) words.emplace_back("--force");
    if (quiet_) words.emplace_back("--quiet");
    return with_options(words, *command, given);
}

}  // namespace tessera::app

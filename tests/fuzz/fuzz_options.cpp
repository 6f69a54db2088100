// libFuzzer entry: any bytes are the options of a configuration file, whose lines are read as the
// same options again, or one line of an Error.
#include <cstdint>
#include <string>

#include "fuzz.hpp"
#include "io/text/option_file.hpp"

namespace {

using namespace tessera;

void read_options(const io::TextSource& source) {
    fuzz::expect_line([&] {
        for (const io::FileOption& option : io::parse_option_file(source)) {
            if (option.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") != option.name.npos ||
                option.name.empty())
                continue;  // no option has such a name
            const auto again = io::parse_option_file({"again", io::option_line(option, true)});
            fuzz::require(again.size() == 1 && again[0].name == option.name &&
                              again[0].is_switch == option.is_switch && again[0].on == option.on,
                          "an option that is written is read");
            fuzz::require(again[0].values.size() == option.values.size(), "no value is lost");
        }
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    FUZZ_READER({"in.txt", std::string(reinterpret_cast<const char*>(data), size)});
    return 0;
}

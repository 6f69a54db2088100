#include "io/streams/pixel_values.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace tessera::io {

std::vector<double> values_of_pixels(const std::vector<double>& numbers,
                                     const std::vector<double>& values, const Healpix& pixels,
                                     const TextSource& source) {
    const auto count = static_cast<std::size_t>(pixels.pixels());
    std::vector<double> all(count, std::numeric_limits<double>::quiet_NaN());
    std::vector<bool> seen(count);
    const auto refuse = [&](std::size_t i, const std::string& why, const std::string& what_to_do) {
        throw Error(fmt::format("cannot read {} '{}'", source.noun, source.path),
                    fmt::format("row {} has pixel {:.15g}, {}", i + 1, numbers[i], why),
                    what_to_do);
    };
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double number = numbers[i];
        if (!(number >= 0 && number < static_cast<double>(count) && number == std::floor(number)))
            refuse(i, fmt::format("but nside {} has 0 to {}", pixels.nside, count - 1),
                   "correct nside in [selection]");
        const auto pixel = static_cast<std::size_t>(number);
        const bool same =
            all[pixel] == values[i] || (std::isnan(all[pixel]) && std::isnan(values[i]));
        if (seen[pixel] && !same)
            refuse(i, "which has another value before", "give each pixel one completeness");
        seen[pixel] = true;
        all[pixel] = values[i];
    }
    return all;
}

}  // namespace tessera::io

#include "docking/restraints/required_share.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tessera::docking {

int RequiredShare::among(int count) const {
    if (number) return *number;
    if (!percent) return count;
    return std::max(1, static_cast<int>(std::ceil(*percent / 100 * count - 1e-9)));
}

std::optional<RequiredShare> parse_required_share(const std::string& text) {
    RequiredShare share;
    if (text.empty()) return share;
    const bool is_percent = text.back() == '%';
    const char* const end = text.data() + text.size() - (is_percent ? 1 : 0);
    if (is_percent) {
        double percent = 0;
        const auto [next, status] = std::from_chars(text.data(), end, percent);
        if (status != std::errc{} || next != end || !(percent > 0 && percent <= 100))
            return std::nullopt;
        share.percent = percent;
    } else {
        int number = 0;
        const auto [next, status] = std::from_chars(text.data(), end, number);
        if (status != std::errc{} || next != end || number < 1) return std::nullopt;
        share.number = number;
    }
    return share;
}

}  // namespace tessera::docking

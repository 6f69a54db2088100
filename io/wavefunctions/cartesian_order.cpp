#include "io/wavefunctions/cartesian_order.hpp"

#include <algorithm>
#include <string_view>

namespace tessera::io {
namespace {

// Converts names of functions such as "xx yy zz xy xz yz" to powers.
std::vector<CartesianPowers> powers_of(std::string_view names) {
    std::vector<CartesianPowers> powers{{0, 0, 0}};
    for (const char c : names)
        if (c == ' ')
            powers.push_back({0, 0, 0});
        else
            ++powers.back()[static_cast<std::size_t>(c - 'x')];
    return powers;
}

}  // namespace

std::vector<CartesianPowers> descending_cartesian_order(int l) {
    std::vector<CartesianPowers> powers;
    for (int i = l; i >= 0; --i)
        for (int j = l - i; j >= 0; --j) powers.push_back({i, j, l - i - j});
    return powers;
}

std::vector<CartesianPowers> cartesian_order(int l) {
    switch (l) {
        case 2: return powers_of("xx yy zz xy xz yz");
        case 3: return powers_of("xxx yyy zzz xyy xxy xxz xzz yzz yyz xyz");
        case 4:
            return powers_of(
                "xxxx yyyy zzzz xxxy xxxz yyyx yyyz zzzx zzzy xxyy xxzz yyzz xxyz yyxz zzxy");
        default: return descending_cartesian_order(l);  // s, p: the same in every program
    }
}

std::vector<CartesianPowers> gaussian_cartesian_order(int l) {
    if (l < 4) return cartesian_order(l);
    std::vector<CartesianPowers> powers = descending_cartesian_order(l);
    std::reverse(powers.begin(), powers.end());
    return powers;
}

}  // namespace tessera::io

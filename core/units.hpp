// Conversions between the units that files of the three fields use.
#pragma once

namespace tessera::units {

inline constexpr double bohr_in_angstrom = 0.529177210903;  ///< CODATA 2018
inline constexpr double hartree_in_ev = 27.211386245988;    ///< CODATA 2018
inline constexpr double pi = 3.141592653589793238462643383279502884;
inline constexpr double degree = pi / 180;  ///< in radians
inline constexpr double log2_e = 1.4426950408889634074;

}  // namespace tessera::units

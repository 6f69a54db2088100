// Parameters of streams that several wedges of a fit share: the table [fit.shared], or --share.
#pragma once

#include <string>
#include <vector>

namespace tessera::io {

/// A parameter of a wedge. Those of several wedges with the same name are one parameter.
struct SharedParameter {
    std::string parameter;   ///< stream1.sigma
    std::string name;        ///< sagittarius.sigma
    std::string place = {};  ///< "PATH:LINE"; empty if not from a file
};

/// What --share asks for: "stream1.sigma" has this name in every wedge. It replaces entries of the
/// same parameter.
void share_everywhere(const std::vector<std::string>& parameters,
                      std::vector<SharedParameter>& shared);

/// Throws Error for a parameter that is not of a stream or has two names, for a name that could be
/// another parameter's, and for a direction of which only one angle is shared. `where` names the
/// file, or what the settings come from.
void validate(const std::vector<SharedParameter>& shared, const std::string& where);

}  // namespace tessera::io

// Commands that read one finished result.
#pragma once

#include <string>

namespace tessera::app {

/// Throws Error if the path is a folder, and says what to read instead. `product` is what the
/// command makes, such as "a table".
void refuse_folder(const std::string& path, const std::string& product);

}  // namespace tessera::app

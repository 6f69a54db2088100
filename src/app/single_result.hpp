// Commands that read one finished result.
#pragma once

#include <string>

namespace tessera::app {

/// Throws Error if the path is a folder, and says what to read instead. `product` is what the
/// command makes, such as "a table".
void refuse_folder(const std::string& path, const std::string& product);

/// The same for folders of dock --pairs and screen alone.
void refuse_table_folder(const std::string& path, const std::string& product);

/// Throws Error if the file is the summary of dock --pairs, and names the result of its first pair
/// that is done. `product` as above.
void refuse_pairs_summary(const std::string& path, const std::string& product);

}  // namespace tessera::app

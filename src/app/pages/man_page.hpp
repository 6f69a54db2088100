// Manual pages.
#pragma once

#include <string>

#include "app/pages/command_text.hpp"

namespace tessera::app {

/// The name of a command's page, such as "tessera-plan-dock".
std::string page_name(const CommandText& command);

/// The page of a command for section 1 of the manual. `version` stands in its footer.
std::string man_page(const CommandText& command, const std::string& version);

}  // namespace tessera::app

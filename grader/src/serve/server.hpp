/// @file
/// `grader serve`: a site's API and page over HTTP, on the loopback.
#pragma once
#include <functional>
#include <string>

#include "serve/guard.hpp"
#include "serve/site.hpp"

namespace grader {

/// The browser keeps unsaved text by the page's address, so the port stays the same if it is free.
inline constexpr int usual_port = 8347;

struct ServeOptions {
  int port = 0;                  ///< 0: usual_port, or a free one where it is taken
  bool only_usual_port = false;  ///< never a free one: links name the port
  std::string address = {};      ///< of a reverse proxy before the server, or empty
};

/// Serves until Ctrl-C. @param ready called once, when requests are answered @throws Error (environment) when the port
/// is in use; (usage) in a portable grader, which has no server
void serve(Site& site, const ServeOptions& options, const std::function<void(const Guard&)>& ready);

}  // namespace grader

/// @file
/// Runs `grader serve`: serves a site's API and page over HTTP, on the loopback address.
#pragma once
#include <functional>
#include <string>

#include "serve/guard.hpp"
#include "serve/site.hpp"

namespace grader {

/// The browser stores unsaved text by the address of the page, so the server uses this port if it is free.
inline constexpr int usual_port = 8347;

struct ServeOptions {
  int port = 0;                  ///< 0: usual_port, or a free port if it is taken
  bool only_usual_port = false;  ///< whether to refuse any other port, because links contain it
  std::string address = {};      ///< address of a reverse proxy before the server; may be empty
};

/// Whether this grader itself ends slow and endless requests. False with a cpp-httplib that is not of version 0.10 to
/// 0.14, where a reverse proxy must do it.
bool ends_slow_requests();

/// Serves until Ctrl-C. @param ready called once, when the server answers requests
/// @throws Error (environment) when the port is in use; (usage) in a portable grader, which has no server
void serve(Site& site, const ServeOptions& options, const std::function<void(const Guard&)>& ready);

}  // namespace grader

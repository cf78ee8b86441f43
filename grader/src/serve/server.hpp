/// @file
/// `grader serve`: the workbench's API and page over HTTP, on the loopback.
#pragma once
#include <functional>
#include <string>

#include "catalog/catalog.hpp"

namespace grader {

struct ServeOptions {
  int port = 0;  ///< 0: usual_port, or a free one where it is taken
  bool open = false;
};

/// The browser keeps unsaved text by the page's address, so the port stays the same if it is free.
inline constexpr int usual_port = 8347;

struct Served {
  const Kit& kit;
  const Catalog& catalog;
};

/// Serves until Ctrl-C. @param ready called once with the address, which contains the token @throws Error
/// (environment) when the port is in use; (usage) in a portable grader, which has no server
void serve(const Served& what, const ServeOptions& options,
           const std::function<void(const std::string&)>& ready);

}  // namespace grader

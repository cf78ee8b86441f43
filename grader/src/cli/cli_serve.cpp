// serve: the workbench in a browser.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/cli_session.hpp"
#include "serve/server.hpp"

namespace grader {
namespace {

int run_serve(Session& session, ServeOptions& o) {
  serve({session.kit(), session.catalog()}, o, [&](const std::string& address) {
    if (session.json)
      session.answer(nlohmann::json{{"format", 1}, {"kind", "serve"}, {"address", address}});
    else
      session.print(fmt::format("Your workbench: {}\nIt is for you alone, on this machine. Ctrl-C ends it.\n",
                                address));
  });
  return 0;
}

Command serve_command() {
  const auto o = std::make_shared<ServeOptions>();
  return {.name = "serve",
          .summary = "Work on the labs in a browser",
          .group = Group::student,
          .options = concat({{{.names = "--port",
                               .type = "N",
                               .help = "port on this machine; default: 8347, or a free one",
                               .value = &o->port,
                               .positive = true,
                               .most = 65535},
                              {.names = "--open", .help = "open it in a browser", .value = &o->open}},
                             report_options()}),
          .run = [o](Session& session) { return run_serve(session, *o); }};
}

}  // namespace

std::vector<Command> serve_commands() {
  return {serve_command()};
}

}  // namespace grader

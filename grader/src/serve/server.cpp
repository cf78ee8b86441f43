// The only file that includes cpp-httplib.
#include "serve/server.hpp"

#if GRADER_SERVES

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/markup.hpp"
#include "process/process.hpp"
#include "serve/guard.hpp"
#include "serve/texts.hpp"
#include "serve/workbench.hpp"

namespace grader {
namespace {

constexpr std::size_t threads = 24;  // an open page keeps one for its events
constexpr int most_streams = 16;     // the other threads remain free for requests
constexpr std::size_t largest_body = largest_shown + (64 << 10);

// Allows no content of other origins, no inline script and no frame around the page: a student's text that
// became markup by mistake could do nothing.
constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

// A page of `grader view` contains its script. It runs in a separate origin, which has no access to this
// server.
constexpr const char* policy_of_view = "sandbox allow-scripts; frame-ancestors 'self'";

/// CodeMirror's files, from the distribution's folder.
const fs::path codemirror = "/usr/share/javascript/codemirror";
const std::vector<std::string> codemirror_files = {"lib/codemirror.js", "lib/codemirror.css",
                                                   "mode/clike/clike.js"};

bool has_codemirror() {
  return std::all_of(codemirror_files.begin(), codemirror_files.end(),
                     [](const std::string& name) { return access((codemirror / name).c_str(), R_OK) == 0; });
}

struct Asset {
  const char* name;
  const char* text;
  const char* type;
};
const Asset assets[] = {
    {"workbench.css", workbench_css, "text/css"},
    {"workbench.js", workbench_js, "text/javascript"},
    {"api.js", workbench_api_js, "text/javascript"},
    {"editor.js", workbench_editor_js, "text/javascript"},
    {"handout.js", workbench_handout_js, "text/javascript"},
    {"verdict.js", workbench_verdict_js, "text/javascript"},
    {"views.js", workbench_views_js, "text/javascript"},
};

Caller caller_of(const httplib::Request& request) {
  const auto header = [&](const char* name) { return request.get_header_value(name); };
  return {header("Host"), header("Origin"), header("Sec-Fetch-Site"), header("Cookie"),
          header("Authorization")};
}

class WebServer {
 public:
  WebServer(const Served& what, int port) : workbench_(what.kit, what.catalog) {
    // Not SO_REUSEPORT, httplib's default: a second server on the port must fail.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    const int wanted = port > 0 ? port : usual_port;
    port_ = server_.bind_to_port("127.0.0.1", wanted) ? wanted
            : port > 0                                ? -1
                                                      : server_.bind_to_any_port("127.0.0.1");
    if (port_ <= 0)
      throw Error(ErrorKind::environment, fmt::format("Port {} is taken.", wanted),
                  "Omit --port: grader serve then uses a free port.");
    guard_.emplace(port_, random_token());
    server_.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    server_.set_payload_max_length(largest_body);
    server_.set_read_timeout(10);
    server_.set_keep_alive_timeout(5);
    server_.set_keep_alive_max_count(1000);
    server_.set_tcp_nodelay(true);
    server_.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"Cache-Control", "no-store"}});
    declare();
  }

  const Guard& guard() const { return *guard_; }

  void run() {
    std::thread listener([this] { server_.listen_after_bind(); });
    while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stopping_ = true;
    server_.stop();
    listener.join();
  }

 private:
  using Handled = httplib::Server::HandlerResponse;

  void declare() {
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return admit(request, response);
    });
    server_.Get("/", [](const httplib::Request&, httplib::Response& response) {
      std::string page = workbench_html;
      if (has_codemirror()) page = replace_all(page, "<html lang=en>", "<html lang=en data-codemirror>");
      response.set_header("Content-Security-Policy", policy);
      response.set_content(page, "text/html; charset=utf-8");
    });
    server_.Get("/favicon.ico",
                [](const httplib::Request&, httplib::Response& response) { response.status = 204; });
    for (const Asset& asset : assets)
      server_.Get(fmt::format("/app/{}", asset.name),
                  [asset](const httplib::Request&, httplib::Response& response) {
                    response.set_content(asset.text, asset.type);
                  });
    for (const std::string& name : codemirror_files)
      server_.Get("/codemirror/" + name, [name](const httplib::Request&, httplib::Response& response) {
        response.set_header("Cache-Control", "max-age=3600");
        response.set_content(read_file(codemirror / name, 4 << 20),
                             name.ends_with(".css") ? "text/css" : "text/javascript");
      });
    const auto api = [this](const httplib::Request& request, httplib::Response& response) {
      if (request.method == "GET" && request.path.ends_with("/events")) return stream(request, response);
      std::string base = request.get_header_value("If-Match");
      if (base.size() > 1 && base.front() == '"' && base.back() == '"')
        base = base.substr(1, base.size() - 2);
      const ApiAnswer answer = workbench_.answer({request.method, request.path, request.body, base});
      response.status = answer.status;
      if (request.path.starts_with("/view/"))
        response.set_header("Content-Security-Policy", policy_of_view);
      else
        response.set_header("Content-Security-Policy",
                            "default-src 'none'; style-src 'unsafe-inline'; sandbox");
      response.set_content(answer.body, answer.type);
    };
    server_.Get("/.*", api).Post("/.*", api).Put("/.*", api).Delete("/.*", api);
    server_.set_exception_handler([](const httplib::Request&, httplib::Response& response,
                                     std::exception_ptr) {
      response.status = 500;
      response.set_content("{\"error\":\"The workbench itself failed.\",\"kind\":\"fault\",\"next\":\"\"}",
                           "application/json");
    });
  }

  Handled admit(const httplib::Request& request, httplib::Response& response) {
    const Caller caller = caller_of(request);
    std::string why;
    if (request.method == "GET" && request.path == "/" && request.has_param("token")) {
      why = guard_->refusal_of_place(caller);
      if (why.empty() && guard_->is_token(request.get_param_value("token"))) {
        response.set_header("Set-Cookie", guard_->cookie());
        // Not a redirect: after a redirect from a page of another site, the browser would not send the
        // cookie.
        response.set_content(
            "<!doctype html><meta http-equiv=refresh content=\"0;url=/\">"
            "<title>Workbench</title>",
            "text/html; charset=utf-8");
        return Handled::Handled;
      }
      if (why.empty()) why = "The token is wrong: open the address that grader serve printed.";
    } else {
      why = guard_->refusal(caller);
    }
    if (why.empty()) return Handled::Unhandled;
    response.status = 403;
    response.set_content(why + "\n", "text/plain; charset=utf-8");
    return Handled::Handled;
  }

  void stream(const httplib::Request& request, httplib::Response& response) {
    std::shared_ptr<PageEvents> events = workbench_.events(request.path);
    if (!events || ++streams_ > most_streams) {
      if (events) --streams_;
      response.status = events ? 503 : 404;
      response.set_content(
          "{\"error\":\"Too many pages are open.\",\"kind\":\"usage\",\"next\":\"Close one.\"}",
          "application/json");
      return;
    }
    // A comment every few seconds detects that the page was closed.
    response.set_chunked_content_provider(
        "text/event-stream",
        [this, events, quiet = 0](std::size_t, httplib::DataSink& sink) mutable {
          std::string text = events->next();
          quiet = text.empty() ? quiet + 1 : 0;
          if (quiet == 25) {
            text = ": still here\n\n";
            quiet = 0;
          }
          if (stopping_ || !sink.is_writable()) return false;
          return text.empty() || sink.write(text.data(), text.size());
        },
        [this](bool) { --streams_; });
  }

  Workbench workbench_;
  httplib::Server server_;
  std::optional<Guard> guard_;
  int port_ = -1;
  std::atomic<bool> stopping_ = false;
  std::atomic<int> streams_ = 0;
};

/// Opens the address in the desktop's browser. Other users of the machine can read command lines, so the
/// command line names a file that only this user can read.
void open_in_browser(const Kit& kit, const std::string& address) {
  const fs::path file = kit.state() / "serve" / "open.html";
  write_file(file, "");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  std::ofstream(file) << "<!doctype html><meta http-equiv=refresh content=\"0;url=" << address << "\">\n";
  ProcessRequest request;
  request.argv = {"xdg-open", file.string()};
  request.limits.wall_s = 10;
  run_process(request);
}

}  // namespace

void serve(const Served& what, const ServeOptions& options,
           const std::function<void(const std::string&)>& ready) {
  WebServer server(what, options.port);
  ready(server.guard().address());
  if (options.open) open_in_browser(what.kit, server.guard().address());
  server.run();
}

}  // namespace grader

#else

namespace grader {

void serve(const Served&, const ServeOptions&, const std::function<void(const std::string&)>&) {
  throw Error(ErrorKind::usage, "This portable grader has no workbench.",
              "grader watch LAB grades at each save");
}

}  // namespace grader

#endif

// Only this file and submit.cpp include cpp-httplib.
#include "serve/server.hpp"

#include "base/error.hpp"

#if GRADER_SERVES

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/markup.hpp"
#include "process/process.hpp"
#include "serve/limited_server.hpp"

namespace grader {
namespace {

// Each connection takes a thread for its requests, until keep_alive_s after the last. Each open page takes
// another thread for its events. An idle thread takes 20 KiB.
constexpr std::size_t request_threads = 64;
constexpr std::time_t keep_alive_s = 1;

// Allows no content of other origins, no inline script, and no frame around the page. So even if a student's
// text became markup by mistake, it could do nothing.
constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

// A page of `grader view` contains its script. The page runs in a separate origin, which can't reach this
// server.
constexpr const char* policy_of_view = "sandbox allow-scripts; frame-ancestors 'self'";

/// The folder in which the distribution installs CodeMirror.
const fs::path codemirror = "/usr/share/javascript/codemirror";
const std::vector<std::string> codemirror_files = {"lib/codemirror.js", "lib/codemirror.css",
                                                   "mode/clike/clike.js"};

bool has_codemirror() {
  return std::all_of(codemirror_files.begin(), codemirror_files.end(),
                     [](const std::string& name) { return access((codemirror / name).c_str(), R_OK) == 0; });
}

/// Only git uses a password. A browser would send a known password to every path.
bool is_of_git(const httplib::Request& request) {
  return request.path.starts_with("/git/");
}

Caller caller_of(const httplib::Request& request) {
  const auto header = [&](const char* name) { return request.get_header_value(name); };
  const std::string authorization = header("Authorization");
  return {header("Host"), header("Origin"), header("Sec-Fetch-Site"), header("Cookie"),
          is_of_git(request) ? as_bearer(authorization) : authorization};
}

/// Limits the bytes of a body as sent, where the server owns its connections.
template <class Server>
void limit_body(Server& server, std::size_t bytes) {
  if constexpr (requires { server.limits; }) server.limits.body_bytes = bytes;
}

class WebServer {
 public:
  WebServer(Site& site, const ServeOptions& options) : site_(site), limits_(site.limits()) {
    const int port = options.port;
    // Not SO_REUSEPORT, which httplib sets by default: a second server on the port must fail.
    server_.set_socket_options([this](socket_t socket) {
      socket_ = socket;
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    const int wanted = port > 0 ? port : usual_port;
    port_ = server_.bind_to_port("127.0.0.1", wanted) ? wanted
            : port > 0 || options.only_usual_port     ? -1
                                                      : server_.bind_to_any_port("127.0.0.1");
    if (port_ <= 0)
      throw Error(ErrorKind::environment, fmt::format("Port {} is taken.", wanted),
                  options.only_usual_port ? "Name another one: --port N, and send the links again."
                                          : "Omit --port: grader serve then uses a free port.");
    listen(socket_, 1024);  // by default, httplib lets five connections wait, too few for a class
    guard_.emplace(
        port_, [this](const std::string& token) { return site_.owner_of(token).has_value(); },
        options.address);
    server_.new_task_queue = [this] {
      return new httplib::ThreadPool(request_threads + static_cast<std::size_t>(limits_.pages));
    };
    server_.set_payload_max_length(limits_.body);
    limit_body(server_, 4 * limits_.body);
    server_.set_read_timeout(10);
    server_.set_keep_alive_timeout(keep_alive_s);
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
    server_.Get("/", [this](const httplib::Request&, httplib::Response& response) {
      std::string page = site_.page();
      if (has_codemirror()) page = replace_all(page, "<html lang=en>", "<html lang=en data-codemirror>");
      response.set_header("Content-Security-Policy", policy);
      response.set_content(page, "text/html; charset=utf-8");
    });
    server_.Get("/favicon.ico",
                [](const httplib::Request&, httplib::Response& response) { response.status = 204; });
    for (const Asset& asset : site_.assets())
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
    server_.Get("/.*", [this](const httplib::Request& request, httplib::Response& response) {
      if (request.path.ends_with("/events")) return stream(request, response);
      answer(request, response, "");
    });
    const httplib::Server::HandlerWithContentReader with_body = [this](const httplib::Request& request,
                                                                       httplib::Response& response,
                                                                       const httplib::ContentReader& read) {
      if (const auto body = body_of(request, response, read)) answer(request, response, *body);
    };
    server_.Post("/.*", with_body).Put("/.*", with_body).Delete("/.*", with_body);
    server_.set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, std::exception_ptr) {
          response.status = 500;
          response.set_content("{\"error\":\"The server itself failed.\",\"kind\":\"fault\",\"next\":\"\"}",
                               "application/json");
        });
  }

  void answer(const httplib::Request& request, httplib::Response& response, const std::string& body) {
    std::string base = request.get_header_value("If-Match");
    if (base.size() > 1 && base.front() == '"' && base.back() == '"') base = base.substr(1, base.size() - 2);
    const ApiAnswer its = site_.answer(
        {request.method, request.path, body, base, request.get_param_value("service"), person_of(request)});
    response.status = its.status;
    if (its.runs_scripts)
      response.set_header("Content-Security-Policy", policy_of_view);
    else
      response.set_header("Content-Security-Policy",
                          "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    response.set_content(its.body, its.type);
  }

  /// Reads the body in any form. httplib's own limit applies to a declared length, but not to chunks or
  /// compressed bodies. No value if the body is refused; the response then says why.
  std::optional<std::string> body_of(const httplib::Request& request, httplib::Response& response,
                                     const httplib::ContentReader& read) {
    std::string body;
    std::size_t size = 0;
    const bool form = request.is_multipart_form_data();
    const bool whole = !form && read([&](const char* bytes, std::size_t more) {
      size += more;
      if (size <= limits_.body) body.append(bytes, more);
      return size <= 16 * limits_.body;  // a client that sends a little too much still gets the answer
    });
    if (whole && size <= limits_.body) return body;
    response.status = form ? 415 : whole || size > limits_.body || response.status == 413 ? 413 : 400;
    response.set_content(
        "{\"error\":\"The body is too large, or not whole.\",\"kind\":\"usage\",\"next\":\"\"}",
        "application/json");
    if (!whole && limited_stream != nullptr) limited_stream->close_after_answer();
    return std::nullopt;
  }

  Handled admit(const httplib::Request& request, httplib::Response& response) {
    const bool reads = request.method == "GET" || request.method == "HEAD";
    if (limited_stream != nullptr) {
      limited_stream->head_is_done(request.has_header("Transfer-Encoding"));
      const std::string length = request.get_header_value("Content-Length");
      const bool has_body = request.has_header("Transfer-Encoding") || (!length.empty() && length != "0");
      // httplib leaves the body of these methods unread, so it would be the next request.
      if ((reads || request.method == "DELETE") && has_body) limited_stream->close_after_answer();
    }
    if (!reads && request.method != "POST" && request.method != "PUT" && request.method != "DELETE") {
      response.status = 405;  // httplib would read a body of any size
      if (limited_stream != nullptr) limited_stream->close_after_answer();
      return Handled::Handled;
    }
    const Caller caller = caller_of(request);
    std::string why;
    if (request.method == "GET" && request.path == "/" && request.has_param("token")) {
      why = guard_->refusal_of_place(caller);
      const std::string token = request.get_param_value("token");
      if (why.empty() && site_.owner_of(token)) {
        response.set_header("Set-Cookie", guard_->cookie(token));
        // The answer is no redirect: if another site's page led here, the browser would not send the cookie
        // after a redirect.
        response.set_content(
            "<!doctype html><meta http-equiv=refresh content=\"0;url=/\">"
            "<title>Workbench</title>",
            "text/html; charset=utf-8");
        return Handled::Handled;
      }
      if (why.empty()) why = site_.refusal();
    } else {
      why = guard_->refusal(caller);
    }
    if (why.empty()) return Handled::Unhandled;
    response.status = 403;
    if (is_of_git(request) && caller.authorization.empty()) {
      response.status = 401;  // git then sends the password that is in the address
      response.set_header("WWW-Authenticate", "Basic realm=\"hand in\"");
    }
    // Otherwise the unread body would be read as the next request.
    if (!reads && limited_stream != nullptr) limited_stream->close_after_answer();
    response.set_content(why + "\n", "text/plain; charset=utf-8");
    return Handled::Handled;
  }

  std::string person_of(const httplib::Request& request) {
    return site_.owner_of(guard_->token_of(caller_of(request))).value_or("");
  }

  /// Counts an open page. One person may open only a limited number, so that others can open theirs.
  bool opens_page(const std::string& person) {
    const std::lock_guard lock(pages_mutex_);
    if (pages_ == limits_.pages || pages_of_[person] == limits_.pages_of_one) return false;
    ++pages_;
    ++pages_of_[person];
    return true;
  }
  void closes_page(const std::string& person) {
    const std::lock_guard lock(pages_mutex_);
    --pages_;
    if (--pages_of_[person] == 0) pages_of_.erase(person);
  }

  void stream(const httplib::Request& request, httplib::Response& response) {
    const std::string person = person_of(request);
    std::shared_ptr<SiteEvents> events = site_.events({request.method, request.path, "", "", "", person});
    if (!events || !opens_page(person)) {
      response.status = events ? 503 : 404;
      if (limited_stream != nullptr) limited_stream->close_after_answer();
      response.set_header("Connection", "close");
      response.set_content(
          "{\"error\":\"Too many pages are open.\",\"kind\":\"usage\",\"next\":\"Close one.\"}",
          "application/json");
      return;
    }
    // The server sends a comment every few seconds, so it notices a closed page.
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
        [this, person](bool) { closes_page(person); });
  }

  Site& site_;
  const SiteLimits limits_;
  LimitedServer server_;
  std::optional<Guard> guard_;
  int port_ = -1;
  socket_t socket_ = -1;
  std::atomic<bool> stopping_ = false;
  std::mutex pages_mutex_;  ///< protects the following members
  int pages_ = 0;
  std::map<std::string, int> pages_of_;
};

}  // namespace

bool ends_slow_requests() {
  return !std::is_same_v<LimitedServer, httplib::Server>;
}

void serve(Site& site, const ServeOptions& options, const std::function<void(const Guard&)>& ready) {
  WebServer server(site, options);
  ready(server.guard());
  server.run();
}

}  // namespace grader

#else

namespace grader {

bool ends_slow_requests() {
  return false;
}

void serve(Site&, const ServeOptions&, const std::function<void(const Guard&)>&) {
  throw Error(ErrorKind::usage, "This portable grader has no workbench.",
              "grader watch LAB grades at each save");
}

}  // namespace grader

#endif

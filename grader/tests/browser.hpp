/// @file
/// A headless Chromium that a test controls with mouse and keyboard, through the DevTools protocol on two
/// pipes. This needs no port, driver or network. https://chromedevtools.github.io/devtools-protocol/
#pragma once
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "grader_runner.hpp"

namespace grader::testing {

class Browser {
 public:
  /// The path of Chromium. Empty if it is missing: bootstrap installs it for tests only if the distribution
  /// has it.
  static std::string program() {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
      for (const char* folder : {"/usr/bin/", "/usr/local/bin/", "/snap/bin/"})
        if (access((std::string(folder) + name).c_str(), X_OK) == 0) return std::string(folder) + name;
    return "";
  }

  Browser() {
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) throw std::runtime_error("no pipe");
    child_ = fork();
    if (child_ == 0) {
      // Descriptors 3 and 4 must stay free, because Chromium uses them.
      const int in = fcntl(to[0], F_DUPFD, 10), out = fcntl(from[1], F_DUPFD, 10);
      dup2(in, 3);
      dup2(out, 4);
      const int nothing = ::open("/dev/null", O_RDWR);
      dup2(nothing, 1);
      dup2(nothing, 2);
      for (int other = 5; other < 64; ++other) close(other);
      const std::string profile = "--user-data-dir=" + folder_.path().string();
      setenv("HOME", folder_.path().c_str(), 1);
      const std::string chromium = program();
      execl(chromium.c_str(), chromium.c_str(), "--headless", "--no-sandbox", "--disable-gpu",
            "--no-first-run", "--disable-dev-shm-usage", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
            "--remote-debugging-pipe", profile.c_str(), "about:blank", nullptr);
      _exit(127);
    }
    close(to[0]);
    close(from[1]);
    write_ = to[1];
    read_ = from[0];
    const nlohmann::json targets = call("Target.getTargets", {});
    for (const auto& target : targets["targetInfos"])
      if (target["type"] == "page")
        session_ =
            call("Target.attachToTarget", {{"targetId", target["targetId"]}, {"flatten", true}})["sessionId"];
    call("Page.enable", {});
    call("Network.enable", {});
    call("Log.enable", {});
    call("Runtime.enable", {});
  }
  ~Browser() {
    close(write_);
    close(read_);
    for (int i = 0; i < 50; ++i) {
      if (waitpid(child_, nullptr, WNOHANG) == child_) return;
      usleep(100'000);
    }
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void open_file(const fs::path& file) { open("file://" + fs::absolute(file).string()); }
  /// Opens an address. After that, the page may send more requests to its server.
  void open(const std::string& url) {
    loaded_ = false;
    if (url.starts_with("http://")) server_ = url.substr(0, url.find('/', 7) + 1);
    call("Page.navigate", {{"url", url}});
    while (!loaded_) read_message();
  }
  /// Waits until an expression is true, also while the page changes. @return false if it did not become true
  /// in time
  bool wait_for(const std::string& expression, int seconds = 30) {
    for (int i = 0; i < 10 * seconds; ++i) {
      try {
        if (value_of("!!(" + expression + ")") == true) return true;
      } catch (const std::runtime_error&) {  // the page is closing, or not open yet
      }
      usleep(100'000);
    }
    return false;
  }
  void size(int width, int height, bool mobile = false) {
    call("Emulation.setDeviceMetricsOverride",
         {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", mobile}});
  }
  /// @param type "print" or ""  @param scheme "dark" or "light"  @param calm whether the reader prefers
  ///   reduced motion
  void media(const std::string& type, const std::string& scheme = "light", bool calm = false) {
    call("Emulation.setEmulatedMedia",
         {{"media", type},
          {"features",
           {{{"name", "prefers-color-scheme"}, {"value", scheme}},
            {{"name", "prefers-reduced-motion"}, {"value", calm ? "reduce" : "no-preference"}}}}});
  }
  /// The value of an expression, as JSON.
  nlohmann::json value_of(const std::string& expression) {
    const nlohmann::json out = call(
        "Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}});
    if (out.contains("exceptionDetails")) throw std::runtime_error(out["exceptionDetails"].dump());
    return out["result"].value("value", nlohmann::json());
  }
  /// Presses and releases the left button in the middle of an element. @param element an expression
  void click(const std::string& element) {
    const nlohmann::json at =
        value_of("(()=>{const e=" + element +
                 ";e.scrollIntoView({block:'center'});const r=e.getBoundingClientRect();"
                 "return [r.x+r.width/2,r.y+r.height/2]})()");
    for (const char* type : {"mousePressed", "mouseReleased"})
      call("Input.dispatchMouseEvent",
           {{"type", type}, {"x", at[0]}, {"y", at[1]}, {"button", "left"}, {"clickCount", 1}});
  }
  void type(const std::string& text) { call("Input.insertText", {{"text", text}}); }
  /// Presses a key by its name, such as "Enter", "ArrowLeft" or "Space", or by its character.
  /// @param with_shift whether Shift is held
  void press(const std::string& key, bool with_shift = false) { press_with(with_shift ? shift : 0, key); }
  static constexpr int alt = 1, control = 2, shift = 8;
  /// Does the same while modifiers are held.
  void press_with(int modifiers, const std::string& key) {
    static const std::map<std::string, int> codes = {{"Tab", 9},      {"Enter", 13},      {"Space", 32},
                                                     {"PageUp", 33},  {"PageDown", 34},   {"End", 35},
                                                     {"Escape", 27},  {"Home", 36},       {"ArrowLeft", 37},
                                                     {"ArrowUp", 38}, {"ArrowRight", 39}, {"ArrowDown", 40}};
    const auto named = codes.find(key);
    nlohmann::json down = {
        {"type", "keyDown"}, {"key", key == "Space" ? " " : key}, {"modifiers", modifiers}};
    if (named != codes.end()) {
      down["code"] = key;
      down["windowsVirtualKeyCode"] = named->second;
    }
    if (named == codes.end() && (modifiers & (alt | control)) == 0) down["text"] = key;
    if (key == "Enter" && modifiers == 0) down["text"] = "\r";
    if (key == "Space") down["text"] = " ";
    call("Input.dispatchKeyEvent", down);
    down["type"] = "keyUp";
    down.erase("text");
    call("Input.dispatchKeyEvent", down);
  }
  using Place = std::pair<double, double>;
  /// Drags with the mouse from one place to another.
  void drag(Place from, Place to) {
    const auto mouse = [&](const char* type, Place at) {
      call("Input.dispatchMouseEvent",
           {{"type", type}, {"x", at.first}, {"y", at.second}, {"button", "left"}, {"buttons", 1}});
    };
    mouse("mousePressed", from);
    mouse("mouseMoved", {(from.first + to.first) / 2, (from.second + to.second) / 2});
    mouse("mouseMoved", to);
    mouse("mouseReleased", to);
  }
  void wheel(Place at, double down) {
    call("Input.dispatchMouseEvent",
         {{"type", "mouseWheel"}, {"x", at.first}, {"y", at.second}, {"deltaX", 0}, {"deltaY", down}});
  }
  /// Touches the page with several fingers, moves them together, and lifts them.
  void touch(const std::vector<Place>& from, const std::vector<Place>& to) {
    const auto fingers = [&](const char* type, const std::vector<Place>& places) {
      nlohmann::json points = nlohmann::json::array();
      for (std::size_t i = 0; i < places.size(); ++i)
        points.push_back({{"x", places[i].first}, {"y", places[i].second}, {"id", i}});
      call("Input.dispatchTouchEvent", {{"type", type}, {"touchPoints", points}});
    };
    fingers("touchStart", from);
    fingers("touchMove", to);
    fingers("touchEnd", {});
  }
  /// The nodes of the accessibility tree, as screen readers get them.
  nlohmann::json accessibility() { return call("Accessibility.getFullAXTree", {})["nodes"]; }
  /// The smallest contrast of any text, as WCAG defines contrast.
  double least_contrast() {
    return value_of(R"((()=>{
      const numbers=c=>c.match(/[\d.]+/g).map(Number);
      const light=c=>{const [r,g,b]=numbers(c).map(v=>{v/=255;return v<=.03928?v/12.92:((v+.055)/1.055)**2.4});return .2126*r+.7152*g+.0722*b};
      const behind=e=>{for(;e;e=e.parentElement){const c=getComputedStyle(e).backgroundColor;if(numbers(c)[3]!==0)return c}return 'rgb(255,255,255)'};
      let least=99;
      for(const e of document.querySelectorAll('h1,h2,h3,p,th,td,a,button,select,output,summary,dt,dd,kbd,li,label,.good,.bad,pre')){
        const style=getComputedStyle(e);
        const a=light(style.color),b=light(behind(e));
        least=Math.min(least,(Math.max(a,b)+.05)/(Math.min(a,b)+.05));
      }
      return least})())");
  }
  /// A picture of the page, as PNG. @param whole whether to include the part below the window
  std::string screenshot(bool whole = false) {
    const std::string data =
        call("Page.captureScreenshot", {{"format", "png"}, {"captureBeyondViewport", whole}})["data"];
    std::string out;
    unsigned bits = 0;
    int count = 0;
    for (const char c : data) {
      const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      const std::size_t digit = digits.find(c);
      if (digit == std::string::npos) break;
      bits = bits << 6 | static_cast<unsigned>(digit);
      count += 6;
      if (count >= 8) out += static_cast<char>(bits >> (count -= 8) & 0xff);
    }
    return out;
  }

  /// Errors of the page's script, and its requests to the network.
  std::vector<std::string> complaints;

 private:
  nlohmann::json call(const std::string& method, const nlohmann::json& parameters) {
    const int id = ++last_;
    nlohmann::json message = {{"id", id},
                              {"method", method},
                              {"params", parameters.is_null() ? nlohmann::json::object() : parameters}};
    if (!session_.empty()) message["sessionId"] = session_;
    const std::string text = message.dump() + '\0';
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t n = write(write_, text.data() + sent, text.size() - sent);
      if (n <= 0) throw std::runtime_error("Chromium is gone");
      sent += static_cast<std::size_t>(n);
    }
    for (;;) {
      const nlohmann::json answer = read_message();
      if (answer.value("id", 0) != id) continue;
      if (answer.contains("error")) throw std::runtime_error(method + ": " + answer["error"].dump());
      return answer["result"];
    }
  }

  nlohmann::json read_message() {
    for (;;) {
      if (const std::size_t end = pending_.find('\0'); end != std::string::npos) {
        const nlohmann::json message = nlohmann::json::parse(pending_.substr(0, end));
        pending_.erase(0, end + 1);
        note(message);
        return message;
      }
      pollfd one{read_, POLLIN, 0};
      if (poll(&one, 1, 60'000) <= 0) throw std::runtime_error("Chromium says nothing for a minute");
      char bytes[65536];
      const ssize_t n = read(read_, bytes, sizeof bytes);
      if (n <= 0) throw std::runtime_error("Chromium is gone");
      pending_.append(bytes, static_cast<std::size_t>(n));
    }
  }

  void note(const nlohmann::json& message) {
    const std::string method = message.value("method", "");
    if (method == "Page.loadEventFired") loaded_ = true;
    // A warning of a graphics driver about itself or about slow reads is not a fault of the page.
    const bool of_driver = method == "Log.entryAdded" &&
                           message["params"]["entry"]["source"] == "rendering" &&
                           message["params"]["entry"]["level"] == "warning";
    if (!of_driver && (method == "Runtime.exceptionThrown" || method == "Log.entryAdded"))
      complaints.push_back(message["params"].dump());
    if (method == "Network.requestWillBeSent") {
      const std::string url = message["params"]["request"]["url"];
      const bool own = !server_.empty() && url.starts_with(server_);
      if (!own && url.rfind("file://", 0) != 0 && url.rfind("data:", 0) != 0)
        complaints.push_back("asks for " + url);
    }
  }

  const TemporaryFolder folder_;
  pid_t child_ = 0;
  int read_ = -1, write_ = -1, last_ = 0;
  bool loaded_ = false;
  std::string session_, pending_, server_;
};

}  // namespace grader::testing

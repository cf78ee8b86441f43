/// @file
/// An HTTP server whose clients may not be slow. In cpp-httplib alone each byte begins the time limit again, and headers
/// and chunked bodies have any size. This header is private to server.cpp.
#pragma once
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <type_traits>

namespace grader {

/// The limits of one request.
struct RequestLimits {
  double head_s = 10, body_s = 60;  ///< to receive request line and headers, then the body
  double idle_s = 10;               ///< between two bytes, in both directions
  std::size_t head_bytes = 64 << 10;
  std::size_t body_bytes = 16 << 20;  ///< as sent, with the lines that divide a body into chunks
};

/// A connection that gives up slow and endless requests.
class LimitedStream final : public httplib::Stream {
 public:
  LimitedStream(socket_t socket, const RequestLimits& limits) : socket_(socket), limits_(limits) {}

  /// Whether a request begins within this time.
  bool begins(double wait_s) {
    if (at_ == end_ && !wait(POLLIN, wait_s)) return false;
    left_ = limits_.head_bytes;
    deadline_ = Clock::now() + seconds(limits_.head_s);
    return true;
  }
  /// The headers are complete, and the body may come.
  void head_is_done() {
    left_ = limits_.body_bytes;
    deadline_ = Clock::now() + seconds(limits_.body_s);
  }
  /// No further request is read: a part of this one is left.
  void close_after_answer() { closes_ = true; }
  bool closes() const { return closes_; }

  bool is_readable() const override { return at_ < end_ || wait(POLLIN, 0); }
  bool is_writable() const override {
    if (!wait(POLLOUT, limits_.idle_s)) return false;
    char byte = 0;
    return !wait(POLLIN, 0) || recv(socket_, &byte, 1, MSG_PEEK) > 0;  // readable without a byte: closed
  }
  ssize_t read(char* to, std::size_t size) override {
    if (at_ == end_) {
      const double left = std::chrono::duration<double>(deadline_ - Clock::now()).count();
      if (left <= 0 || !wait(POLLIN, std::min(left, limits_.idle_s))) return -1;
      const ssize_t got = recv(socket_, buffer_, sizeof buffer_, 0);
      if (got <= 0) return got;
      at_ = 0;
      end_ = static_cast<std::size_t>(got);
    }
    const std::size_t taken = std::min(size, end_ - at_);
    if (taken > left_) return -1;
    left_ -= taken;
    std::copy_n(buffer_ + at_, taken, to);
    at_ += taken;
    return static_cast<ssize_t>(taken);
  }
  ssize_t write(const char* bytes, std::size_t size) override {
    return wait(POLLOUT, limits_.idle_s) ? send(socket_, bytes, size, MSG_NOSIGNAL) : -1;
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = "127.0.0.1";  // the server listens there alone
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override { get_remote_ip_and_port(ip, port); }
  socket_t socket() const override { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;
  static Clock::duration seconds(double s) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
  }
  bool wait(short events, double wait_s) const {
    pollfd one{socket_, events, 0};
    return poll(&one, 1, static_cast<int>(wait_s * 1000)) > 0;
  }

  const socket_t socket_;
  const RequestLimits limits_;
  Clock::time_point deadline_;
  bool closes_ = false;
  std::size_t left_ = 0;  ///< bytes that the headers, or the body, may still have
  std::size_t at_ = 0, end_ = 0;
  char buffer_[4096];
};

/// The connection whose request this thread answers; null with a cpp-httplib that offers no way to own it.
inline thread_local LimitedStream* limited_stream = nullptr;

/// @tparam Self the class itself: its base's members are looked up when it is instantiated
template <class Self = void>
class LimitedServerOf : public httplib::Server {
 public:
  RequestLimits limits;

 private:
  using Own = std::conditional_t<std::is_void_v<Self>, LimitedServerOf, Self>;

  bool process_and_close_socket(socket_t socket) override {
    bool ok = false;
    {
      LimitedStream stream(socket, limits);
      limited_stream = &stream;
      for (std::size_t left = keep_alive_max_count_;
           left > 0 && !stream.closes() && svr_sock_ != INVALID_SOCKET &&
           stream.begins(static_cast<double>(keep_alive_timeout_sec_));
           --left) {
        bool closed = false;
        ok = static_cast<Own*>(this)->process_request(stream, left == 1, closed, nullptr);
        if (!ok || closed) break;
      }
      limited_stream = nullptr;
    }
    shutdown(socket, SHUT_RDWR);
    close(socket);
    return ok;
  }
};

/// Whether this cpp-httplib lets a server own its connections in this way (0.10 to 0.14 do).
struct OwnsConnections : httplib::Server {
  template <class Server>
  static constexpr bool with = requires(Server& server, httplib::Stream& stream, bool& closed) {
    server.process_request(stream, false, closed, nullptr);
  };
};

using LimitedServer =
    std::conditional_t<OwnsConnections::with<OwnsConnections>, LimitedServerOf<>, httplib::Server>;

}  // namespace grader

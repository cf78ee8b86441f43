/// @file
/// An HTTP server that closes slow connections. cpp-httplib itself restarts its time limit at each byte, and
/// limits the size neither of all headers nor of chunked bodies. This header is private to server.cpp.
#pragma once
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <type_traits>

namespace grader {

/// The limits of one request.
struct RequestLimits {
  double head_s = 10, body_s = 60;  ///< seconds to receive the request line and headers, then the body
  double idle_s = 10;               ///< seconds between two bytes, in both directions
  std::size_t head_bytes = 64 << 10;
  std::size_t body_bytes = 16 << 20;  ///< of a chunked body as sent, with the lines between its chunks
};

/// A connection that is given up when a request is too slow or its headers are too large.
class LimitedStream final : public httplib::Stream {
 public:
  LimitedStream(socket_t socket, const RequestLimits& limits) : socket_(socket), limits_(limits) {}

  /// Whether a request begins within this time, in seconds.
  bool begins(double wait_s) {
    if (at_ == end_ && !wait(POLLIN, wait_s)) return false;
    left_ = limits_.head_bytes;
    deadline_ = Clock::now() + seconds(limits_.head_s);
    return true;
  }
  /// The headers are complete, and the body may come. httplib reads a chunked body's own lines to their ends, so the
  /// bytes of such a body are limited here.
  void head_is_done(bool chunked) {
    left_ = chunked ? limits_.body_bytes : std::numeric_limits<std::size_t>::max();
    deadline_ = Clock::now() + seconds(limits_.body_s);
  }
  /// Makes the server close the connection after this answer, because a part of the request was not read.
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
    ip = "127.0.0.1";  // the server listens only there
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

/// The connection of the request that this thread answers. Null if this cpp-httplib gives a server no access
/// to it.
inline thread_local LimitedStream* limited_stream = nullptr;

/// @tparam Self the class itself, so that members of its base are looked up only when it is instantiated
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

/// Whether this cpp-httplib gives a server access to its connections (versions 0.10 to 0.14 do).
struct OwnsConnections : httplib::Server {
  template <class Server>
  static constexpr bool with = requires(Server& server, httplib::Stream& stream, bool& closed) {
    server.process_request(stream, false, closed, nullptr);
  };
};

using LimitedServer =
    std::conditional_t<OwnsConnections::with<OwnsConnections>, LimitedServerOf<>, httplib::Server>;

}  // namespace grader

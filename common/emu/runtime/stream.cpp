#include "stream.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "clock.hpp"
#include "errors.hpp"
#include "faults.hpp"
#include "protection.hpp"

namespace cuemu {

namespace {
struct Operation {
  std::function<void()> work;
  std::vector<MarkerPtr> after;  ///< operations of other streams that come first
  MarkerPtr marker;
  bool always = false;
};

// One lock for all queues: operations are coarse, and the order between streams is what it protects.
std::mutex& queues_mutex() {
  static std::mutex* const mutex = new std::mutex;
  return *mutex;
}
std::condition_variable& changed() {
  static auto* const condition = new std::condition_variable;
  return *condition;
}
}  // namespace

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(unsigned flags_, int priority_) : flags(flags_), priority(priority_) {}

  const unsigned flags;
  const int priority;
  std::deque<Operation> queue;
  MarkerPtr last;  ///< of the operation queued last
  bool has_thread = false;
  bool destroyed = false;

  bool blocking() const { return (flags & cudaStreamNonBlocking) == 0; }
  bool idle() const { return last == nullptr || last->done.load(); }

  void serve() {
    prepare_thread_for_faults();
    close_device_memory_later();
    std::unique_lock<std::mutex> lock(queues_mutex());
    const auto has_work = [&] { return !queue.empty() || destroyed; };
    for (;;) {
      if (!changed().wait_for(lock, std::chrono::milliseconds(1), has_work)) {
        lock.unlock();
        close_device_memory();
        lock.lock();
        changed().wait(lock, has_work);
      }
      if (queue.empty()) return;
      Operation operation = std::move(queue.front());
      queue.pop_front();
      changed().wait(lock, [&] {
        return std::all_of(operation.after.begin(), operation.after.end(),
                           [](const MarkerPtr& marker) { return marker->done.load(); });
      });
      lock.unlock();
      if (operation.always || !context_destroyed()) operation.work();
      lock.lock();
      finish(*operation.marker);
    }
  }

  static void finish(Marker& marker) {
    marker.time_ns = now_ns();
    marker.done.store(true);
    changed().notify_all();
  }
};

namespace {

/// Every stream of the program; the first is the legacy default stream.
struct Streams {
  std::shared_ptr<Stream> legacy = std::make_shared<Stream>(0u, 0);
  std::vector<std::shared_ptr<Stream>> others;
  static Streams& get() {
    static Streams* const streams = new Streams;
    return *streams;
  }

  /// What an operation that is queued to `stream` now must wait for in other streams. Under the lock.
  std::vector<MarkerPtr> before(const Stream& stream) const {
    std::vector<MarkerPtr> result;
    const auto add = [&](const Stream& other) {
      if (!other.idle()) result.push_back(other.last);
    };
    if (&stream == legacy.get()) {
      for (const auto& other : others)
        if (other->blocking()) add(*other);
    } else if (stream.blocking()) {
      add(*legacy);
    }
    return result;
  }
};

thread_local std::shared_ptr<Stream> per_thread;

}  // namespace

Stream* stream_of(cudaStream_t handle) {
  Streams& streams = Streams::get();
  if (handle == nullptr || handle == cudaStreamLegacy) return streams.legacy.get();
  const std::lock_guard<std::mutex> lock(queues_mutex());
  if (handle == cudaStreamPerThread) {
    if (per_thread == nullptr) {
      per_thread = std::make_shared<Stream>(0u, 0);
      streams.others.push_back(per_thread);
    }
    return per_thread.get();
  }
  for (const auto& stream : streams.others)
    if (reinterpret_cast<cudaStream_t>(stream.get()) == handle) return stream.get();
  return nullptr;
}

cudaStream_t create_stream(unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>(flags, priority);
  const std::lock_guard<std::mutex> lock(queues_mutex());
  Streams::get().others.push_back(stream);
  return reinterpret_cast<cudaStream_t>(stream.get());
}

bool destroy_stream(cudaStream_t handle) {
  const std::lock_guard<std::mutex> lock(queues_mutex());
  auto& others = Streams::get().others;
  const auto found = std::find_if(others.begin(), others.end(), [&](const auto& stream) {
    return reinterpret_cast<cudaStream_t>(stream.get()) == handle;
  });
  if (found == others.end()) return false;
  (*found)->destroyed = true;
  // Work that is left still counts for the default stream, so it takes the marker over.
  const std::shared_ptr<Stream> stream = *found;
  others.erase(found);
  Stream& legacy = *Streams::get().legacy;
  if (stream->blocking() && !stream->idle()) {
    Operation operation;
    operation.after.push_back(stream->last);
    operation.work = [] {};
    operation.marker = std::make_shared<Marker>();
    legacy.last = operation.marker;
    legacy.queue.push_back(std::move(operation));
    if (!legacy.has_thread) {
      legacy.has_thread = true;
      std::thread([kept = Streams::get().legacy] { kept->serve(); }).detach();
    }
  }
  changed().notify_all();
  return true;
}

unsigned flags_of(const Stream& stream) {
  return stream.flags;
}
int priority_of(const Stream& stream) {
  return stream.priority;
}

namespace {
MarkerPtr push(Stream& stream, Operation operation) {
  MarkerPtr marker = std::make_shared<Marker>();
  operation.marker = marker;
  stream.last = marker;
  stream.queue.push_back(std::move(operation));
  if (!stream.has_thread) {
    stream.has_thread = true;
    std::thread([kept = stream.shared_from_this()] { kept->serve(); }).detach();
  }
  changed().notify_all();
  return marker;
}
}  // namespace

MarkerPtr enqueue(Stream& stream, std::function<void()> work, bool always) {
  const std::lock_guard<std::mutex> lock(queues_mutex());
  return push(stream, {std::move(work), Streams::get().before(stream), nullptr, always});
}

void enqueue_wait(Stream& stream, MarkerPtr marker) {
  const std::lock_guard<std::mutex> lock(queues_mutex());
  if (marker == nullptr || marker->done.load()) return;
  std::vector<MarkerPtr> after = Streams::get().before(stream);
  after.push_back(std::move(marker));
  push(stream, {[] {}, std::move(after), nullptr, true});
}

void run_now(Stream& stream, std::function<void()> work) {
  MarkerPtr marker;
  {
    std::unique_lock<std::mutex> lock(queues_mutex());
    std::vector<MarkerPtr> after = Streams::get().before(stream);
    if (!stream.idle() || !after.empty())
      marker = push(stream, {std::move(work), std::move(after), nullptr, false});
  }
  if (marker != nullptr)
    wait_for(marker);
  else if (!context_destroyed())
    work();
}

MarkerPtr mark(Stream& stream) {
  const std::lock_guard<std::mutex> lock(queues_mutex());
  std::vector<MarkerPtr> after = Streams::get().before(stream);
  if (!stream.idle() || !after.empty()) return push(stream, {[] {}, std::move(after), nullptr, true});
  MarkerPtr marker = std::make_shared<Marker>();
  Stream::finish(*marker);
  return marker;
}

bool is_idle(Stream& stream) {
  const std::lock_guard<std::mutex> lock(queues_mutex());
  return stream.idle() && Streams::get().before(stream).empty();
}

void wait_for(const MarkerPtr& marker) {
  {
    std::unique_lock<std::mutex> lock(queues_mutex());
    changed().wait(lock, [&] { return marker->done.load(); });
  }
  close_device_memory();
}

void wait_for_stream(Stream& stream) {
  wait_for(mark(stream));
}

void wait_for_device() {
  {
    std::unique_lock<std::mutex> lock(queues_mutex());
    Streams& streams = Streams::get();
    changed().wait(lock, [&] {
      return streams.legacy->idle() && std::all_of(streams.others.begin(), streams.others.end(),
                                                   [](const auto& stream) { return stream->idle(); });
    });
  }
  close_device_memory();
}

}  // namespace cuemu

#include "stream.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "capture.hpp"
#include "clock.hpp"
#include "device.hpp"
#include "errors.hpp"
#include "faults.hpp"
#include "observer.hpp"
#include "protection.hpp"

namespace cuemu {

namespace {
struct Operation {
  std::function<void()> work;
  std::vector<MarkerPtr> after;  ///< operations of other streams that must end first
  MarkerPtr marker;
  bool always = false;
};

// All queues share one lock, since operations are coarse, and the lock protects the order between streams.
std::mutex& queues_mutex() {
  static std::mutex* const mutex = new std::mutex;
  return *mutex;
}

// A program may have hundreds of streams, each with a thread, so a thread is woken only by the change for which it
// waits. A stream's thread waits for work (`Stream::has_news`); any thread may wait for a marker (`Waiters`). A thread
// that adds work or finishes a marker holds the queues' lock, and notifies before it releases the lock. A waiting
// thread checks and registers under the same lock, so it misses no change.

/// The threads that wait for markers, each with its condition variable.
class Waiters {
 public:
  static Waiters& get() {
    static auto* const waiters = new Waiters;
    return *waiters;
  }

  /// Waits until the marker is done. Also returns if `enough()` is true; this is tested when the marker is finished and
  /// at wake_all(). The caller keeps the marker alive.
  template <class Enough>
  void wait(std::unique_lock<std::mutex>& lock, const Marker& marker, const Enough& enough) {
    if (marker.done.load() || enough()) return;
    std::condition_variable woken;
    const auto self = by_marker_.emplace(&marker, &woken);
    woken.wait(lock, [&] { return marker.done.load() || enough(); });
    by_marker_.erase(self);
  }
  void wait(std::unique_lock<std::mutex>& lock, const Marker& marker) {
    wait(lock, marker, [] { return false; });
  }

  /// Needs the queues' lock.
  void finish(Marker& marker) {
    marker.time_ns = now_ns();
    marker.done.store(true);
    const auto [begin, end] = by_marker_.equal_range(&marker);
    std::for_each(begin, end, [](const auto& waiter) { waiter.second->notify_one(); });
  }
  /// Needs the queues' lock.
  void wake_all() {
    for (const auto& waiter : by_marker_) waiter.second->notify_one();
  }

 private:
  std::multimap<const Marker*, std::condition_variable*> by_marker_;
};

/// Set while a kernel of an observed program polls for work that the host has not queued yet.
std::atomic<bool> host_is_awaited{false};
}  // namespace

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(int device_, unsigned flags_, int priority_) : device(device_), flags(flags_), priority(priority_) {}

  const int device;
  const unsigned flags;
  const int priority;
  const unsigned long long number = next_number();
  CaptureState capture;
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;
  std::deque<Operation> queue;
  MarkerPtr last;  ///< of the last queued operation
  bool has_thread = false;
  bool destroyed = false;
  std::condition_variable has_news;  ///< notifies the stream's thread that `queue` or `destroyed` has changed

  bool blocking() const { return (flags & cudaStreamNonBlocking) == 0; }
  bool idle() const { return last == nullptr || last->done.load(); }

  void serve() {
    prepare_thread_for_faults();
    close_device_memory_later();
    set_current_device(device);
    std::unique_lock<std::mutex> lock(queues_mutex());
    const auto has_work = [&] { return !queue.empty() || destroyed; };
    for (;;) {
      if (!has_news.wait_for(lock, std::chrono::milliseconds(1), has_work)) {
        lock.unlock();
        close_device_memory();
        lock.lock();
        has_news.wait(lock, has_work);
      }
      if (queue.empty()) return;
      Operation operation = std::move(queue.front());
      queue.pop_front();
      for (const MarkerPtr& marker : operation.after) Waiters::get().wait(lock, *marker);
      lock.unlock();
      notify(&Observer::operation_begins, *operation.marker);
      if (operation.always || !context_destroyed(device)) operation.work();
      notify(&Observer::operation_ends);
      lock.lock();
      host_is_awaited.store(false);
      Waiters::get().finish(*operation.marker);
    }
  }

 private:
  static unsigned long long next_number() {
    static std::atomic<unsigned long long> made{0};
    return ++made;
  }
};

namespace {

/// Every stream of one device; the first is its legacy default stream.
struct Streams {
  explicit Streams(int device) : legacy(std::make_shared<Stream>(device, 0u, 0)) {}
  std::shared_ptr<Stream> legacy;
  std::vector<std::shared_ptr<Stream>> others;

  static Streams& of(int device) {
    static auto* const all = [] {
      auto* const made = new std::vector<Streams>;
      for (int i = 0; i < device_count(); ++i) made->emplace_back(i);
      return made;
    }();
    return (*all)[static_cast<std::size_t>(device)];
  }

  /// Returns the operations of other streams that must end before a new operation of `stream`. @pre the queues' lock is
  /// held
  static std::vector<MarkerPtr> before(const Stream& stream) {
    const Streams& streams = of(stream.device);
    std::vector<MarkerPtr> result;
    const auto add = [&](const Stream& other) {
      if (is_observed() ? other.last != nullptr : !other.idle()) result.push_back(other.last);
    };
    if (&stream == streams.legacy.get()) {
      for (const auto& other : streams.others)
        if (other->blocking()) add(*other);
    } else if (stream.blocking()) {
      add(*streams.legacy);
    }
    return result;
  }

  /// Returns a marker of unfinished work; null if all streams are idle. @pre the queues' lock is held
  MarkerPtr pending() const {
    if (!legacy->idle()) return legacy->last;
    const auto busy =
        std::find_if(others.begin(), others.end(), [](const auto& stream) { return !stream->idle(); });
    return busy != others.end() ? (*busy)->last : nullptr;
  }
};

std::atomic<bool> per_thread_default{false};

/// The calling host thread's own default streams, by device.
thread_local std::shared_ptr<Stream> per_thread[most_devices];

/// Position of the handle's stream among the streams that the program created.
auto find(std::vector<std::shared_ptr<Stream>>& streams, cudaStream_t handle) {
  return std::find_if(streams.begin(), streams.end(), [&](const auto& stream) {
    return reinterpret_cast<cudaStream_t>(stream.get()) == handle;
  });
}

void start_thread(Stream& stream) {
  if (stream.has_thread) return;
  stream.has_thread = true;
  std::thread([kept = stream.shared_from_this()] { kept->serve(); }).detach();
}

}  // namespace

Stream* stream_of(cudaStream_t handle) {
  const int device = current_device();
  Streams& streams = Streams::of(device);
  if (handle == cudaStreamLegacy || (handle == nullptr && !per_thread_default.load()))
    return streams.legacy.get();
  const std::lock_guard<std::mutex> lock(queues_mutex());
  if (handle == nullptr || handle == cudaStreamPerThread) {
    std::shared_ptr<Stream>& own = per_thread[device];
    if (own == nullptr || own->destroyed) {
      own = std::make_shared<Stream>(device, 0u, 0);
      streams.others.push_back(own);
    }
    return own.get();
  }
  for (int i = 0; i < device_count(); ++i) {
    auto& others = Streams::of(i).others;
    if (const auto found = find(others, handle); found != others.end()) return found->get();
  }
  return nullptr;
}

void make_per_thread_default() {
  per_thread_default.store(true);
}

cudaStream_t create_stream(unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>(current_device(), flags, priority);
  const std::lock_guard<std::mutex> lock(queues_mutex());
  Streams::of(stream->device).others.push_back(stream);
  return reinterpret_cast<cudaStream_t>(stream.get());
}

namespace {

/// Needs the queues' lock.
MarkerPtr push(Stream& stream, Operation operation) {
  MarkerPtr marker = std::make_shared<Marker>();
  operation.marker = marker;
  if (is_observed()) {
    std::vector<MarkerPtr> after = operation.after;
    if (stream.last != nullptr) after.push_back(stream.last);
    notify(&Observer::operation_queued, view_of(stream), *marker, after);
  }
  stream.last = marker;
  stream.queue.push_back(std::move(operation));
  start_thread(stream);
  stream.has_news.notify_one();
  return marker;
}

/// Needs the queues' lock.
void destroy(Streams& streams, std::vector<std::shared_ptr<Stream>>::iterator found) {
  const std::shared_ptr<Stream> stream = *found;
  stream->destroyed = true;
  streams.others.erase(found);
  // The default stream must still wait for unfinished work, so it takes over the marker.
  Stream& legacy = *streams.legacy;
  if (stream->blocking() && stream->last != nullptr && (is_observed() || !stream->idle())) {
    Operation operation;
    operation.after.push_back(stream->last);
    operation.work = [] {};
    push(legacy, std::move(operation));
  }
  stream->has_news.notify_one();
}

}  // namespace

bool destroy_stream(cudaStream_t handle) {
  std::unique_lock<std::mutex> lock(queues_mutex());
  for (int i = 0; i < device_count(); ++i) {
    Streams& streams = Streams::of(i);
    if (find(streams.others, handle) == streams.others.end()) continue;
    lock.unlock();
    leave_capture(*reinterpret_cast<Stream*>(handle));
    lock.lock();
    const auto found = find(streams.others, handle);
    if (found != streams.others.end()) destroy(streams, found);
    return true;
  }
  return false;
}

void destroy_streams(int device) {
  std::unique_lock<std::mutex> lock(queues_mutex());
  Streams& streams = Streams::of(device);
  const std::vector<std::shared_ptr<Stream>> all = streams.others;
  lock.unlock();
  for (const auto& stream : all) leave_capture(*stream);
  lock.lock();
  while (!streams.others.empty()) destroy(streams, streams.others.begin());
}

unsigned flags_of(const Stream& stream) {
  return stream.flags;
}
int priority_of(const Stream& stream) {
  return stream.priority;
}
int device_of(const Stream& stream) {
  return stream.device;
}
unsigned long long number_of(const Stream& stream) {
  return stream.number;
}
StreamView view_of(const Stream& stream) {
  return {number_of(stream), is_legacy(stream), (flags_of(stream) & cudaStreamNonBlocking) != 0};
}
bool is_legacy(const Stream& stream) {
  return &stream == Streams::of(stream.device).legacy.get();
}
std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>& attributes_of(Stream& stream) {
  return stream.attributes;
}
CaptureState& capture_state(Stream& stream) {
  return stream.capture;
}

namespace {
/// In an observed program, waits for the marker, so that operations run one after another as soon as they are queued.
MarkerPtr settled(MarkerPtr marker) {
  if (is_observed()) {
    std::unique_lock<std::mutex> lock(queues_mutex());
    Waiters::get().wait(lock, *marker, [] { return host_is_awaited.load(); });
  }
  return marker;
}
}  // namespace

void kernel_waits_for_host() {
  host_is_awaited.store(true);
  const std::lock_guard<std::mutex> lock(queues_mutex());
  Waiters::get().wake_all();
}

MarkerPtr enqueue(Stream& stream, std::function<void()> work, bool always) {
  MarkerPtr marker;
  {
    const std::lock_guard<std::mutex> lock(queues_mutex());
    marker = push(stream, {std::move(work), Streams::before(stream), nullptr, always});
  }
  return settled(std::move(marker));
}

void enqueue_wait(Stream& stream, MarkerPtr marker) {
  MarkerPtr wait;
  {
    const std::lock_guard<std::mutex> lock(queues_mutex());
    if (marker == nullptr || (marker->done.load() && !is_observed())) return;
    std::vector<MarkerPtr> after = Streams::before(stream);
    after.push_back(std::move(marker));
    wait = push(stream, {[] {}, std::move(after), nullptr, true});
  }
  settled(std::move(wait));
}

void run_now(Stream& stream, std::function<void()> work) {
  std::unique_lock<std::mutex> lock(queues_mutex());
  std::vector<MarkerPtr> after = Streams::before(stream);
  if (is_observed() || !stream.idle() || !after.empty()) {
    const MarkerPtr marker = push(stream, {std::move(work), std::move(after), nullptr, false});
    lock.unlock();
    return wait_for(marker);
  }
  lock.unlock();
  if (!context_destroyed(stream.device)) work();
}

MarkerPtr mark(Stream& stream) {
  MarkerPtr marker;
  {
    const std::lock_guard<std::mutex> lock(queues_mutex());
    std::vector<MarkerPtr> after = Streams::before(stream);
    if (is_observed() || !stream.idle() || !after.empty()) {
      marker = push(stream, {[] {}, std::move(after), nullptr, true});
    } else {
      marker = std::make_shared<Marker>();
      Waiters::get().finish(*marker);
    }
  }
  return settled(std::move(marker));
}

void finish_marker(Marker& marker) {
  const std::lock_guard<std::mutex> lock(queues_mutex());
  Waiters::get().finish(marker);
}

bool is_idle(Stream& stream) {
  const std::lock_guard<std::mutex> lock(queues_mutex());
  if (!stream.idle()) return false;
  const std::vector<MarkerPtr> before = Streams::before(stream);
  if (!std::all_of(before.begin(), before.end(), [](const auto& marker) { return marker->done.load(); }))
    return false;
  if (is_observed()) {
    if (stream.last != nullptr) notify(&Observer::waited, *stream.last);
    for (const MarkerPtr& marker : before) notify(&Observer::waited, *marker);
  }
  return true;
}

void wait_for(const MarkerPtr& marker) {
  {
    std::unique_lock<std::mutex> lock(queues_mutex());
    Waiters::get().wait(lock, *marker);
  }
  notify(&Observer::waited, *marker);
  close_device_memory();
}

void after_queued_work(std::function<void()> done) {
  // `done` is called when the last operation has released this pointer.
  const std::shared_ptr<void> last(nullptr, [done = std::move(done)](void*) { done(); });
  const std::lock_guard<std::mutex> lock(queues_mutex());
  for (int i = 0; i < device_count(); ++i) {
    const auto add = [&](Stream& stream) {
      if (!stream.idle()) push(stream, {[last] {}, {}, nullptr, true});
    };
    add(*Streams::of(i).legacy);
    for (const auto& stream : Streams::of(i).others) add(*stream);
  }
}

void wait_for_stream(Stream& stream) {
  wait_for(mark(stream));
}

void wait_for_device(int device) {
  {
    std::unique_lock<std::mutex> lock(queues_mutex());
    while (const MarkerPtr left = Streams::of(device).pending()) Waiters::get().wait(lock, *left);
  }
  notify(&Observer::waited_for_device);
  close_device_memory();
}

void wait_for_all_devices() {
  for (int i = 0; i < device_count(); ++i) wait_for_device(i);
}

}  // namespace cuemu

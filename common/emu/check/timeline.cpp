#include "timeline.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <new>
#include <utility>

#include "clocks.hpp"
#include "driver_types.h"
#include "source.hpp"

namespace cuemu::check {

namespace {

constexpr std::uint32_t host_queue = 0;
/// The queues of streams are numbered in the order of creation. If there are more streams, some queues share
/// a number. A shared number can hide a race, but never causes a false report.
constexpr std::uint32_t stream_queues = 512;
constexpr std::uint32_t graph_queues = 64;

thread_local Operation* running = nullptr;        ///< the operation that the calling thread runs
thread_local Operation* node_of_graph = nullptr;  ///< the current node in that operation
thread_local std::vector<OperationPtr> nodes;
constexpr std::uint32_t child_queues = 64;

/// A grid and its child grids. The first of `grids` is the stream's own grid; each other one was launched by
/// the grid before it.
struct Grid {
  OperationPtr operation;                                                ///< null: the stream's grid
  std::map<std::pair<std::uint32_t, const void*>, OperationPtr> latest;  ///< by block and stream
  std::vector<std::uint32_t> known;  ///< the knowledge when all of them have ended
};
thread_local std::vector<Grid> grids;

void merge(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

void raise(std::vector<std::uint32_t>& clock, std::uint32_t queue, std::uint32_t number) {
  if (clock.size() <= queue) clock.resize(queue + 1);
  clock[queue] = std::max(clock[queue], number);
}

std::uint32_t queue_of(const StreamView& stream) {
  return 1 + static_cast<std::uint32_t>(stream.number % stream_queues);
}

QueueKind kind_of(const StreamView& stream) {
  if (stream.is_legacy) return QueueKind::legacy;
  return stream.non_blocking ? QueueKind::non_blocking : QueueKind::blocking;
}

}  // namespace

Timeline& Timeline::get() {
  static auto* const timeline = new Timeline;
  return *timeline;
}

// The system zeroes pages when they are first used. Most programs need only the first page of 2049.
Timeline::Timeline() : places_(static_cast<Place*>(std::calloc(most_eras + 1, sizeof(Place)))) {
  if (places_ == nullptr) throw std::bad_alloc();
  host_.number = 1;
  host_.knows = {1};
}

void Timeline::queued(const StreamView& stream, Marker& end, const std::vector<MarkerPtr>& after) {
  auto operation = std::make_shared<Operation>();
  operation->queue = queue_of(stream);
  operation->kind = kind_of(stream);
  operation->stack = call_stack();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (last_.size() <= operation->queue) last_.resize(operation->queue + 1);
  operation->number = ++last_[operation->queue];
  operation->knows = host_.knows;
  for (const MarkerPtr& before : after)
    if (const auto known = std::static_pointer_cast<Operation>(before->observed[ToolSlot::checker]);
        known != nullptr) {
      merge(operation->knows, known->knows);
      operation->after.push_back(known);
    }
  raise(operation->knows, operation->queue, operation->number);
  end.observed[ToolSlot::checker] = std::move(operation);
  // Later actions of the host do not happen before this operation.
  host_.knows[host_queue] = ++host_.number;
  host_.host_era = 0;
}

void Timeline::begins(Marker& end) {
  running = static_cast<Operation*>(end.observed[ToolSlot::checker].get());
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const OperationPtr& before : running->after) merge(running->knows, before->knows);
  running->after.clear();
}

void Timeline::ends() {
  running = nullptr;
}

void Timeline::host_function_begins() {
  if (running == nullptr) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::uint32_t> before = now().knows;
  before[running->queue] = std::min(before[running->queue], running->number - 1);
  if (node_of_graph != nullptr) before[node_of_graph->queue] = 0;  // other graphs may share this queue
  merge(host_.knows, before);
}

void Timeline::node_begins(std::size_t node, const std::vector<std::size_t>& after) {
  if (running == nullptr) return;
  auto operation = std::make_shared<Operation>();
  operation->queue = 1 + stream_queues + static_cast<std::uint32_t>(node % graph_queues);
  operation->kind = QueueKind::graph;
  operation->stack = running->stack;
  operation->knows = running->knows;
  for (const std::size_t before : after)
    if (before < nodes.size()) merge(operation->knows, nodes[before]->knows);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (last_.size() <= operation->queue) last_.resize(operation->queue + 1);
  operation->number = ++last_[operation->queue];
  raise(operation->knows, operation->queue, operation->number);
  node_of_graph = operation.get();
  nodes.push_back(std::move(operation));
}

void Timeline::graph_ends() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const OperationPtr& node : nodes)
    if (running != nullptr) merge(running->knows, node->knows);
  nodes.clear();
  node_of_graph = nullptr;
}

void Timeline::child_begins(std::shared_ptr<const LaunchPoint> launched_at) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Operation& parent = now();
  if (grids.empty()) grids.emplace_back();
  Grid& above = grids.back();
  auto operation = std::make_shared<Operation>();
  operation->kind = QueueKind::child;
  operation->stack = launched_at->stack;
  operation->knows = parent.knows;
  if (launched_at->is_tail)
    merge(operation->knows, above.known);
  else if (parent.queue < operation->knows.size())
    operation->knows[parent.queue] = std::min(operation->knows[parent.queue], parent.number - 1);
  if (launched_at->is_ordered) {
    OperationPtr& before = above.latest[{launched_at->block, launched_at->stream}];
    if (before != nullptr) merge(operation->knows, before->knows);
    before = operation;
  }
  operation->launched_at = std::move(launched_at);
  static std::uint32_t made = 0;
  operation->queue = 1 + stream_queues + graph_queues + made++ % child_queues;
  if (last_.size() <= operation->queue) last_.resize(operation->queue + 1);
  operation->number = ++last_[operation->queue];
  raise(operation->knows, operation->queue, operation->number);
  Grid grid;
  grid.operation = std::move(operation);
  grids.push_back(std::move(grid));
}

void Timeline::child_ends() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Grid ended = std::move(grids.back());
  grids.pop_back();
  merge(grids.back().known, ended.operation->knows);
}

void Timeline::children_ended() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (grids.empty()) return;
  merge(now().knows, grids.back().known);
  if (grids.size() == 1) grids.clear();
}

void Timeline::recorded(Marker& end) {
  end.observed[ToolSlot::checker] = std::make_shared<Operation>(now());
}

void Timeline::waited(const Marker& end) {
  const Operation* const known = operation_of(end);
  if (known == nullptr) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  merge(now().knows, known->knows);
}

void Timeline::waited_for_all() {
  const std::lock_guard<std::mutex> lock(mutex_);
  Operation& me = now();
  const std::uint32_t host = me.knows[host_queue];
  merge(me.knows, last_);
  me.knows[host_queue] = host;
}

bool Timeline::knows(const Operation& me, const Operation& other) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return other.queue < me.knows.size() && me.knows[other.queue] >= other.number;
}

bool Timeline::host_knows(const Marker& end) {
  const Operation* const asked = operation_of(end);
  return asked == nullptr || host_knows(asked->queue, asked->number);
}

bool Timeline::host_knows(std::uint32_t queue, std::uint32_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return queue < host_.knows.size() && host_.knows[queue] >= number;
}

Operation& Timeline::now() {
  if (!grids.empty() && grids.back().operation != nullptr) return *grids.back().operation;
  return node_of_graph != nullptr ? *node_of_graph : running != nullptr ? *running : host_;
}

bool Timeline::in_operation() const {
  return running != nullptr;
}

std::uint32_t Timeline::add_era(Operation& me, Era era) {
  era.kind = me.kind;
  if (era.stack.empty()) era.stack = me.stack;
  eras_.push_back(std::move(era));
  const auto number = static_cast<std::uint32_t>(eras_.size());
  places_[number] = {me.queue, me.queue == host_queue ? host_.number : me.number};
  return number;
}

std::uint32_t Timeline::host_era() {
  const std::lock_guard<std::mutex> lock(mutex_);
  Operation& me = now();
  if (me.host_era == 0) {
    Era era;
    era.doing = in_operation() ? Doing::host_function : Doing::host;
    me.host_era = add_era(me, std::move(era));
    me.host_epoch = epochs.add({me.host_era, 0, 0});
  }
  return me.host_era;
}

void Timeline::forget_epochs() {
  const std::lock_guard<std::mutex> lock(mutex_);
  host_.host_era = 0;
}

bool Timeline::knows_all(const Operation& me) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::uint32_t queue = 1; queue < last_.size(); ++queue)
    if (queue != me.queue && last_[queue] > (queue < me.knows.size() ? me.knows[queue] : 0)) return false;
  return me.queue == host_queue || me.knows[host_queue] + 1 >= host_.number;
}

std::vector<std::uint32_t> Timeline::knowledge() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return now().knows;
}

void Timeline::learn(Operation& me, std::uint32_t era, const std::vector<std::uint32_t>& knew) {
  if (era > most_eras) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  merge(me.knows, knew);
  raise(me.knows, places_[era].queue, places_[era].number);
}

bool Timeline::saw_here(std::uint32_t era) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return saw(now(), era);
}

bool Timeline::is_settled(std::uint32_t era) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return saw(host_, era);
}

Era Timeline::era(std::uint32_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return number >= 1 && number <= eras_.size() ? eras_[number - 1] : Era{};
}

}  // namespace cuemu::check

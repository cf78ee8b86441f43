#include "convergence.hpp"

#include <algorithm>
#include <unordered_map>

namespace cuemu::counters {

namespace {

template <class Do>
void for_lanes(std::uint32_t lanes, Do&& act) {
  for (; lanes != 0; lanes &= lanes - 1) act(static_cast<unsigned>(__builtin_ctz(lanes)));
}

unsigned first_of(std::uint32_t lanes) {
  return static_cast<unsigned>(__builtin_ctz(lanes));
}

/// Pseudo places that precede a path's first event and follow its last event.
constexpr std::uint32_t beginning = ~std::uint32_t{1};
constexpr std::uint32_t ended = ~std::uint32_t{0};

/// A graph of the lanes' paths, which gives the places where paths meet again.
class Ways {
 public:
  Ways(const Paths& paths, std::uint32_t lanes) {
    node_of(beginning);
    node_of(ended);
    for_lanes(lanes, [&](unsigned lane) {
      std::uint32_t from = start;
      for (const Event& event : *paths[lane]) {
        const std::uint32_t to = node_of(event.place());
        connect(from, to);
        from = to;
      }
      connect(from, end);
    });
    find_meetings();
  }
  /// Returns the place at which all paths from `place` meet again: its immediate post-dominator.
  std::uint32_t meeting(std::uint32_t place) const { return places_[meeting_[nodes_.at(place)]]; }

 private:
  static constexpr std::uint32_t start = 0;
  static constexpr std::uint32_t end = 1;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t node_of(std::uint32_t place) {
    if (place == last_place_) return last_node_;
    const auto [at, fresh] = nodes_.try_emplace(place, static_cast<std::uint32_t>(next_.size()));
    if (fresh) {
      places_.push_back(place);
      next_.emplace_back();
      before_.emplace_back();
    }
    last_place_ = place;
    return last_node_ = at->second;
  }
  void connect(std::uint32_t from, std::uint32_t to) {
    auto& ways = next_[from];
    if (std::find(ways.begin(), ways.end(), to) != ways.end()) return;
    ways.push_back(to);
    before_[to].push_back(from);
  }

  /// Computes the post-dominators: "A Simple, Fast Dominance Algorithm" (Cooper, Harvey, Kennedy) on the reversed
  /// graph.
  void find_meetings() {
    const auto order = order_from_end();  // the nodes' numbers, from the end
    std::vector<std::uint32_t> rank(next_.size(), 0);
    for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
    meeting_.assign(next_.size(), none);
    meeting_[end] = end;
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::uint32_t node : order) {
        if (node == end) continue;
        std::uint32_t found = none;
        for (const std::uint32_t to : next_[node])
          if (meeting_[to] != none) found = found == none ? to : common(to, found, rank);
        if (found != meeting_[node]) {
          meeting_[node] = found;
          changed = true;
        }
      }
    }
  }
  std::uint32_t common(std::uint32_t a, std::uint32_t b, const std::vector<std::uint32_t>& rank) const {
    while (a != b) {
      while (rank[a] > rank[b]) a = meeting_[a];
      while (rank[b] > rank[a]) b = meeting_[b];
    }
    return a;
  }
  /// Returns the nodes in reverse postorder of the reversed graph.
  std::vector<std::uint32_t> order_from_end() const {
    std::vector<std::uint32_t> order;
    std::vector<bool> seen(next_.size(), false);
    struct Visit {
      std::uint32_t node;
      std::size_t edge;
    };
    std::vector<Visit> stack = {{end, 0}};
    seen[end] = true;
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.edge == before_[top.node].size()) {
        order.push_back(top.node);
        stack.pop_back();
        continue;
      }
      const std::uint32_t from = before_[top.node][top.edge++];
      if (!seen[from]) {
        seen[from] = true;
        stack.push_back({from, 0});
      }
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  std::unordered_map<std::uint32_t, std::uint32_t> nodes_;
  std::vector<std::uint32_t> places_;  ///< by node
  std::uint32_t last_place_ = ended - 2;
  std::uint32_t last_node_ = none;
  std::vector<std::vector<std::uint32_t>> next_;
  std::vector<std::vector<std::uint32_t>> before_;
  std::vector<std::uint32_t> meeting_;
};

/// The reconvergence stack of a GPU: each recursive call of `run` is an entry.
class Warp {
 public:
  Warp(const Paths& paths, std::uint32_t lanes, Steps& steps)
      : paths_(paths), lanes_(lanes), ways_(paths, lanes), steps_(steps) {}

  void run() {
    split(lanes_, ways_.meeting(beginning));
    run(lanes_, ended);
  }

 private:
  /// Returns the lane's next place.
  std::uint32_t next(unsigned lane) const {
    const Path& path = *paths_[lane];
    return at_[lane] < path.size() ? path[at_[lane]].place() : ended;
  }
  std::uint32_t together_with(unsigned lane, std::uint32_t lanes) const {
    const std::uint32_t place = next(lane);
    std::uint32_t same = 0;
    for_lanes(lanes, [&](unsigned other) { same |= next(other) == place ? 1u << other : 0u; });
    return same;
  }

  /// Runs lanes that are at the same place until they reach `stop`.
  void run(std::uint32_t lanes, std::uint32_t stop) {
    for (;;) {
      const unsigned lane = first_of(lanes);
      const std::uint32_t place = next(lane);
      if (place == stop || place == ended) return;
      steps_.step({place, lanes, at_});
      for_lanes(lanes, [&](unsigned each) { ++at_[each]; });
      if (together_with(lane, lanes) == lanes) continue;
      steps_.diverged(place, lanes);
      split(lanes, ways_.meeting(place));
    }
  }
  /// Runs each side of a branch up to the meeting place.
  void split(std::uint32_t lanes, std::uint32_t meeting) {
    for (std::uint32_t rest = lanes; rest != 0;) {
      const unsigned lane = first_of(rest);
      const std::uint32_t side = together_with(lane, rest);
      rest &= ~side;
      if (next(lane) != meeting) run(side, meeting);
    }
  }

  const Paths& paths_;
  const std::uint32_t lanes_;
  const Ways ways_;
  Steps& steps_;
  std::array<std::uint32_t, 32> at_{};
};

/// Returns whether all lanes take the same path. This is the usual case.
bool all_alike(const Paths& paths, std::uint32_t lanes) {
  const Path& first = *paths[first_of(lanes)];
  bool alike = true;
  for_lanes(lanes & (lanes - 1), [&](unsigned lane) {
    const Path& path = *paths[lane];
    alike = alike && path.size() == first.size() &&
            std::equal(path.begin(), path.end(), first.begin(),
                       [](const Event& a, const Event& b) { return a.place() == b.place(); });
  });
  return alike;
}

}  // namespace

void replay(const Paths& paths, std::uint32_t lanes, Steps& steps) {
  if (lanes == 0) return;
  if (!all_alike(paths, lanes)) {
    Warp(paths, lanes, steps).run();
    return;
  }
  std::array<std::uint32_t, 32> at{};
  for (const Event& event : *paths[first_of(lanes)]) {
    steps.step({event.place(), lanes, at});
    for (std::uint32_t& each : at) ++each;
  }
}

}  // namespace cuemu::counters

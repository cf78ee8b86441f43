#include "graph.h"
#include <algorithm>
#include <fstream>
#include <queue>
#include <sstream>
#include <stdexcept>
#include <utility>

static Graph from_edges(int n, std::vector<std::pair<int, int>> edges) {
  const size_t m = edges.size();
  for (size_t i = 0; i < m; ++i) edges.emplace_back(edges[i].second, edges[i].first);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Graph g;
  g.offsets.assign(n + 1, 0);
  for (auto [from, to] : edges) {
    ++g.offsets[from + 1];
    g.targets.push_back(to);
  }
  for (int i = 0; i < n; ++i) g.offsets[i + 1] += g.offsets[i];
  return g;
}

Graph make_graph(const std::vector<std::string>& a) {
  std::vector<std::pair<int, int>> edges;
  if (a.at(0) == "grid") {
    const int w = std::stoi(a.at(1)), h = std::stoi(a.at(2));
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        if (x + 1 < w) edges.emplace_back(y * w + x, y * w + x + 1);
        if (y + 1 < h) edges.emplace_back(y * w + x, (y + 1) * w + x);
      }
    return from_edges(w * h, edges);
  }
  if (a.at(0) == "random") {
    const int n = std::stoi(a.at(1)), m = std::stoi(a.at(2));
    unsigned s = 1;
    auto next = [&] { return static_cast<int>((s = s * 1664525u + 1013904223u) >> 4) % n; };
    for (int i = 0; i < m; ++i) {
      const int u = next();
      edges.emplace_back(u, next());
    }
    return from_edges(n, edges);
  }
  std::ifstream in(a.at(1));
  if (!in) throw std::runtime_error("cannot open " + a.at(1));
  std::string line;
  int n = -1, u, v;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    words >> u >> v;
    if (n < 0) n = u; else edges.emplace_back(u, v);
  }
  return from_edges(n, edges);
}

std::vector<int> bfs_cpu(const Graph& g, int source) {
  std::vector<int> distance(g.vertices(), -1);
  std::queue<int> open;
  open.push(source);
  distance[source] = 0;
  while (!open.empty()) {
    const int u = open.front();
    open.pop();
    for (int e = g.offsets[u]; e < g.offsets[u + 1]; ++e)
      if (distance[g.targets[e]] < 0) {
        distance[g.targets[e]] = distance[u] + 1;
        open.push(g.targets[e]);
      }
  }
  return distance;
}

#ifndef GRAPH_H
#define GRAPH_H
#include <string>
#include <vector>
struct Graph {
  int vertices() const { return static_cast<int>(offsets.size()) - 1; }
  int edges() const { return static_cast<int>(targets.size()); }
  std::vector<int> offsets, targets;
};
Graph make_graph(const std::vector<std::string>& arguments);
std::vector<int> bfs_cpu(const Graph& g, int source);
#endif

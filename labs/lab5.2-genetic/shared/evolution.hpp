/// @file
/// A genetic algorithm on sets of points, for the lab on genetic algorithms: the rules, and the sequential program.
///
/// A *set* of points (an individual) searches for a place near the origin, where a red sphere is, among spheres that
/// stop points. Many sets form a *population*, and each *island* has its own population. A generation is:
///
///     mutation      some sets change: each of their points may move, at random or towards another point of its set
///     evaluation    a set's score is the sum of its points' squared distances from the origin: less is better
///     selection     sets are ranked by (score, number of the set); the best survive
///     end?          after a number of generations, or when the best set is good enough
///     reproduction  each other set is replaced by a child, whose points come from two survivors
///
/// Every program must compute the same evolution, bit for bit, on any hardware and in any order:
///
///   * random numbers are a function (philox.hpp) of island, generation, set, point and purpose, not of a thread;
///   * floats are rounded in the same places everywhere (rounding.hpp); the only library function called is the root;
///   * scores are sums of whole numbers, which don't depend on their order;
///   * a set's moves are decided by the state before (P), and checked in the order of its points.
///
/// Host and device code; the functions in the last part are for the host alone.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <lab/random.hpp>
#include <lab/rounding.hpp>

#include "philox.hpp"

namespace lab {

/// The centre of a point. The world extends from -1 to 1 in x, y and z.
struct Point {
  float x, y, z;
};

/// An obstacle. The first one is the red sphere, around the origin.
struct alignas(16) Sphere {
  float x, y, z, radius;
};

/// Constants of all sets in all generations, as kernels receive them.
struct World {
  int points;                  ///< of a set
  int spheres;                 ///< obstacles
  int between_points;          ///< whether points of a set also collide with each other
  int whole_path;              ///< whether the whole path of a move is tested, or only its end
  float radius;                ///< of a point
  float reach_squared;         ///< (2 r)²: two points overlap if their centres are nearer
  float inner;                 ///< 1 - r: coordinates of centres are from -inner to inner
  float step, step_squared;    ///< the longest move, and its square
  std::uint32_t set_chance;    ///< chance() that a set mutates
  std::uint32_t point_chance;  ///< chance() that a point of such a set moves
  std::uint32_t key;           ///< the key of all random numbers
};

/// A set in a generation, which is a part of each random number's counter.
struct Individual {
  std::uint32_t island, generation, set;
};

/// The maximum number of attempts to find a place for a point.
constexpr std::uint32_t most_attempts = 1000;
/// The maximum number of attempts to find a direction. One attempt in two succeeds, so that all 16 fail once in about a
/// hundred thousand moves.
constexpr std::uint32_t most_directions = 16;
/// Upper limit of a population's sets, whose numbers must fit into 16 bits of a key.
constexpr int most_sets = 65536;
/// Upper limit of a set's points.
constexpr int most_points = 65536;
constexpr int most_spheres = 256;

namespace detail {

/// The purposes of random numbers. No two purposes share a number.
enum class Draw : std::uint32_t { place, decision, move, direction, parents, gene };

LAB_ON_BOTH inline Words draw(const World& world, Individual who, std::uint32_t point, Draw what,
                              std::uint32_t attempt = 0) {
  return philox({{point, who.set, who.generation, static_cast<std::uint32_t>(what) << 16 | attempt}},
                {{world.key, who.island}});
}

/// A word as a real number in [-1, 1).
LAB_ON_BOTH inline float signed_real(std::uint32_t word) {
  return 2 * unit_real(word) - 1;  // both operations are exact
}

LAB_ON_BOTH inline float dot(Point a, Point b) {
  return rounded_product(a.x, b.x) + rounded_product(a.y, b.y) + rounded_product(a.z, b.z);
}

LAB_ON_BOTH inline Point difference(Point a, Point b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

/// p + share · way.
LAB_ON_BOTH inline Point moved(Point p, float share, Point way) {
  return {p.x + rounded_product(share, way.x), p.y + rounded_product(share, way.y),
          p.z + rounded_product(share, way.z)};
}

/// Whether a straight path, which begins outside a sphere, touches the sphere before the path's end. @param a from the
/// path's beginning to the sphere's centre @param way of the move @param squared forbidden distance from the centre,
/// squared
LAB_ON_BOTH inline bool touches(Point a, Point way, float squared) {
  const float along = dot(a, way), length = dot(way, way);
  if (!(along > 0) || along >= length) return false;  // the nearest place is the path's beginning or its end
  // The distance from the line is √(a² - along² / length). The comparison avoids the slow root and division.
  return rounded_product(dot(a, a), length) - rounded_product(along, along) <
         rounded_product(squared, length);
}

}  // namespace detail

// ------------------------------------------------------------------------------------------- the rules

/// Whether two points of a set collide.
LAB_ON_BOTH inline bool overlap(const World& world, Point a, Point b) {
  const Point d = detail::difference(a, b);
  return detail::dot(d, d) < world.reach_squared;
}

/// Whether a point is in the world and outside every sphere. @param spheres (world.spheres)
LAB_ON_BOTH inline bool is_free(const World& world, const Sphere* spheres, Point p) {
  const auto outside = [&](float x) { return !(x >= -world.inner && x <= world.inner); };
  if (outside(p.x) || outside(p.y) || outside(p.z)) return false;
  for (int i = 0; i < world.spheres; ++i) {
    const Sphere s = spheres[i];
    const Point a = detail::difference({s.x, s.y, s.z}, p);
    const float reach = s.radius + world.radius;
    if (detail::dot(a, a) < rounded_product(reach, reach)) return false;
  }
  return true;
}

/// Whether the world and the spheres allow a point's move. Other points are not tested. @param from where it is, free
/// @param spheres (world.spheres)
LAB_ON_BOTH inline bool may_move(const World& world, const Sphere* spheres, Point from, Point to) {
  if (!is_free(world, spheres, to)) return false;
  if (!world.whole_path) return true;
  const Point way = detail::difference(to, from);
  for (int i = 0; i < world.spheres; ++i) {
    const Sphere s = spheres[i];
    const float reach = s.radius + world.radius;
    if (detail::touches(detail::difference({s.x, s.y, s.z}, from), way, rounded_product(reach, reach)))
      return false;
  }
  return true;
}

/// The place of a point in one attempt, for generation 0. The point stays there if the place is free and, in a world
/// whose points collide, no point of its set with a lower number overlaps it; otherwise the next attempt follows.
/// @param attempt [0, most_attempts)
LAB_ON_BOTH inline Point place_of(const World& world, Individual who, int point, std::uint32_t attempt) {
  const Words words =
      detail::draw(world, who, static_cast<std::uint32_t>(point), detail::Draw::place, attempt);
  return {rounded_product(detail::signed_real(words[0]), world.inner),
          rounded_product(detail::signed_real(words[1]), world.inner),
          rounded_product(detail::signed_real(words[2]), world.inner)};
}

/// The mutation of a set, which is the same for all its points.
enum class Mutation : int { none, mix, move };

LAB_ON_BOTH inline Mutation decision_of(const World& world, Individual who) {
  const Words words = detail::draw(world, who, 0, detail::Draw::decision);
  if (!happens(words[0], world.set_chance)) return Mutation::none;
  return words[1] >> 31 != 0 ? Mutation::mix : Mutation::move;  // half and half
}

/// Whether a mutation moves a point, and to which place. may_move() and the set's other points decide whether the point
/// may move there.
///   mix     towards another point of its set, on the straight line between them, by at most a step
///   move    in any direction, by at most a step
/// @param P (points), the set before the mutation  @param point its number  @param to is set if it moves
LAB_ON_BOTH inline bool moves(const World& world, Individual who, Mutation mutation, const Point* P,
                              int point, Point& to) {
  if (mutation == Mutation::none) return false;
  const auto number = static_cast<std::uint32_t>(point), count = static_cast<std::uint32_t>(world.points);
  const Words words = detail::draw(world, who, number, detail::Draw::move);
  if (!happens(words[0], world.point_chance)) return false;
  const Point from = P[point];
  if (mutation == Mutation::mix) {
    if (count == 1) return false;
    const std::uint32_t other = (number + 1 + below(words[1], count - 1)) % count;  // any but itself
    const Point way = detail::difference(P[other], from);
    const float squared = detail::dot(way, way);
    const float longest =
        squared > world.step_squared ? rounded_quotient(world.step, rounded_root(squared)) : 1;
    to = detail::moved(from, rounded_product(unit_real(words[2]), longest), way);
    return true;
  }
  // Draws places in a cube until one lies in the ball.
  for (std::uint32_t attempt = 0; attempt < most_directions; ++attempt) {
    const Words three = detail::draw(world, who, number, detail::Draw::direction, attempt);
    const Point way = {detail::signed_real(three[0]), detail::signed_real(three[1]),
                       detail::signed_real(three[2])};
    if (detail::dot(way, way) > 1) continue;
    to = detail::moved(from, world.step, way);
    return true;
  }
  return false;
}

/// A point's part of its set's score: its squared distance from the origin, in units of 2^-24.
LAB_ON_BOTH inline unsigned long long score_of(Point p) {
  return static_cast<unsigned long long>(detail::dot(p, p) * 16777216.0f);
}

/// Score and number of a set in one word. Words have the order of (score, number), and no two words are equal.
LAB_ON_BOTH constexpr unsigned long long key_of(unsigned long long score, int set) {
  return score << 16 | static_cast<unsigned long long>(set);
}
LAB_ON_BOTH constexpr int set_of(unsigned long long key) {
  return static_cast<int>(key & 0xffff);
}
LAB_ON_BOTH constexpr unsigned long long score_in(unsigned long long key) {
  return key >> 16;
}

/// The ranks of a child's parents, in [0, survivors). They differ if there are at least two survivors.
struct Parents {
  int first, second;
};
/// @param who the child: the set that it replaces
LAB_ON_BOTH inline Parents parents_of(const World& world, Individual who, int survivors) {
  const auto count = static_cast<std::uint32_t>(survivors);
  const Words words = detail::draw(world, who, 0, detail::Draw::parents);
  const std::uint32_t first = below(words[0], count);
  const std::uint32_t second = count == 1 ? 0 : (first + 1 + below(words[1], count - 1)) % count;
  return {static_cast<int>(first), static_cast<int>(second)};
}

/// Whether a child tries to take this point from its second parent. All other points come from the first parent.
LAB_ON_BOTH inline bool from_second(const World& world, Individual who, int point) {
  return detail::draw(world, who, static_cast<std::uint32_t>(point), detail::Draw::gene)[0] >> 31 != 0;
}

// ------------------------------------------------------------------------------------------- the host alone

/// The parameters of an evolution, as the handout names them.
struct GeneticParameters {
  int sets = 4096, points = 1024;  ///< sets of a population, points of a set
  int islands = 1;
  double radius = 0.02;        ///< of a point
  bool between_points = true;  ///< whether points of a set also collide with each other
  bool whole_path = true;      ///< whether the whole path of a move is tested, or only its end
  double step = 0.05;          ///< longest move
  double set_mutation = 0.5, point_mutation = 0.5;  ///< probabilities
  double survival = 0.25;                           ///< share of the sets
  int migration = 0;      ///< generations between two migrations of the best sets; 0: never
  std::uint32_t key = 1;  ///< of the random numbers

  /// The number of surviving sets.
  int survivors() const { return std::max(1, static_cast<int>(survival * sets)); }
  /// Whether the best sets migrate to the next island at the end of this generation.
  bool migrates(int generation) const { return migration > 0 && islands > 1 && generation % migration == 0; }
};

inline World world_of(const GeneticParameters& parameters, int spheres) {
  World world;
  world.points = parameters.points;
  world.spheres = spheres;
  world.between_points = parameters.between_points ? 1 : 0;
  world.whole_path = parameters.whole_path ? 1 : 0;
  world.radius = static_cast<float>(parameters.radius);
  world.reach_squared = rounded_product(2 * world.radius, 2 * world.radius);
  world.inner = 1 - world.radius;
  world.step = static_cast<float>(parameters.step);
  world.step_squared = rounded_product(world.step, world.step);
  world.set_chance = chance(parameters.set_mutation);
  world.point_chance = chance(parameters.point_mutation);
  world.key = parameters.key;
  return world;
}

/// Random spheres: the red one around the origin, and others that leave a way around it.
inline std::vector<Sphere> draw_spheres(Random& random, int count, double red_radius) {
  std::vector<Sphere> spheres = {{0, 0, 0, static_cast<float>(red_radius)}};
  for (int attempt = 0; static_cast<int>(spheres.size()) < count && attempt < 100000; ++attempt) {
    const auto radius = static_cast<float>(random.real(0.08, 0.25));
    const auto x = static_cast<float>(random.real(-1, 1)), y = static_cast<float>(random.real(-1, 1)),
               z = static_cast<float>(random.real(-1, 1));
    if (std::sqrt(x * x + y * y + z * z) > red_radius + radius + 0.1) spheres.push_back({x, y, z, radius});
  }
  return spheres;
}

/// Room for a set's points, as a fraction of the world: the volume outside the spheres, minus the volume that the set's
/// points exclude for each other. If it is at least 0.05, at least one attempt in twenty to place a point succeeds.
inline double room_for(const World& world, const std::vector<Sphere>& spheres) {
  constexpr int samples = 4096;
  int free = 0;
  for (int i = 0; i < samples; ++i)
    free += is_free(world, spheres.data(), place_of(world, {0xffffffffu, 0, 0}, i, 0));
  const double ball = 4.0 / 3.0 * 3.14159265358979 * 8 * std::pow(world.radius, 3);
  const double taken = world.between_points ? world.points * ball / std::pow(2 * world.inner, 3) : 0;
  return static_cast<double>(free) / samples - taken;
}

/// The phase after which a run ends, in the last generation.
enum class Phase { generation, mutation, evaluation, selection, reproduction, migration, end };
constexpr const char* phase_names[] = {"generation",   "mutation",  "evaluation", "selection",
                                       "reproduction", "migration", "end"};

/// Finds the phase of a name. @return false if there is no such phase
inline bool find_phase(const std::string_view name, Phase& phase) {
  for (int i = 0; i <= static_cast<int>(Phase::end); ++i) {
    if (name != phase_names[i]) continue;
    phase = static_cast<Phase>(i);
    return true;
  }
  return false;
}

/// An island's population.
struct HostPopulation {
  std::uint32_t island = 0;
  std::vector<Point> P, Q;               ///< (sets, points): the current state, and room for the next
  std::vector<unsigned long long> keys;  ///< (sets): after selection in the order of ranks
};

/// The maximum score of a set that reaches `goal`: the root of its points' mean squared distance from the origin is at
/// most red_radius + goal. 0: no set is good enough. @param goal 0: none
inline unsigned long long goal_score(double goal, double red_radius, int points) {
  return goal > 0 ? static_cast<unsigned long long>(points * std::pow(red_radius + goal, 2) * 16777216.0) : 0;
}

/// The distance of a set's points from the origin: the root of their mean squared distance.
inline double mean_distance(unsigned long long key, int points) {
  return std::sqrt(static_cast<double>(score_in(key)) / 16777216.0 / points);
}

/// A run's result, which a grader compares: rows of float32.
///
///     after generation, mutation, reproduction, migration    row island · sets + set: x, y, z of each point of the set
///     after evaluation                                       row island · sets + set: mean_distance()
///     after selection                                        row island · sets + rank: number of the set, mean_distance()
///     at the end                                             row generation: mean_distance() of each island's best set;
///                                                            0 for generations after the end
struct ResultRows {
  std::size_t rows = 0, columns = 0;
  std::vector<float> values;
};

/// @param generations requested
/// @param history (generations, islands) keys of the best sets, or fewer if the run ended earlier
inline ResultRows result_rows(Phase after, int generations, const std::vector<HostPopulation>& islands,
                              const std::vector<unsigned long long>& history) {
  const std::size_t sets = islands.front().keys.size();
  const int points = static_cast<int>(islands.front().P.size() / sets);
  const auto distance = [&](unsigned long long key) {
    return static_cast<float>(mean_distance(key, points));
  };
  ResultRows result;
  result.rows = after == Phase::end ? static_cast<std::size_t>(generations) : islands.size() * sets;
  if (after == Phase::end) {
    for (const unsigned long long key : history) result.values.push_back(distance(key));
    result.values.resize(result.rows * islands.size());
  }
  for (const HostPopulation& island : islands) {
    if (after == Phase::end) break;
    if (after == Phase::evaluation || after == Phase::selection) {
      for (const unsigned long long key : island.keys) {
        if (after == Phase::selection) result.values.push_back(static_cast<float>(set_of(key)));
        result.values.push_back(distance(key));
      }
      continue;
    }
    for (const Point& p : island.P) result.values.insert(result.values.end(), {p.x, p.y, p.z});
  }
  result.columns = result.rows > 0 ? result.values.size() / result.rows : 0;
  return result;
}

/// The sequential program, which computes the islands one after the other.
class SequentialEvolution {
 public:
  SequentialEvolution(const GeneticParameters& parameters, std::vector<Sphere> spheres)
      : parameters_(parameters),
        world_(world_of(parameters, static_cast<int>(spheres.size()))),
        spheres_(std::move(spheres)) {
    for (int island = 0; island < parameters.islands; ++island) {
      HostPopulation population;
      population.island = static_cast<std::uint32_t>(island);
      population.P.resize(static_cast<std::size_t>(parameters.sets) *
                          static_cast<std::size_t>(parameters.points));
      population.Q = population.P;
      population.keys.resize(static_cast<std::size_t>(parameters.sets));
      islands_.push_back(std::move(population));
    }
  }

  const std::vector<HostPopulation>& islands() const { return islands_; }
  HostPopulation& island(int number) { return islands_[static_cast<std::size_t>(number)]; }

  /// Runs until a phase of the last generation, or until a set is good enough.
  /// @param goal of goal_score()
  /// @return (generations, islands): keys of the best sets; empty if no place was found for a point
  std::vector<unsigned long long> run(int generations, Phase after, unsigned long long goal = 0) {
    std::vector<unsigned long long> history;
    for (HostPopulation& population : islands_)
      if (!generate(population)) return {};
    for (int generation = 1; generation <= generations && after != Phase::generation; ++generation) {
      const bool last = generation == generations;
      bool reached = false;
      for (HostPopulation& population : islands_) {
        mutate(population, generation);
        if (last && after == Phase::mutation) continue;
        evaluate(population);
        if (last && after == Phase::evaluation) continue;
        select(population);
        history.push_back(population.keys.front());
        reached = reached || score_in(population.keys.front()) <= goal;
      }
      if (reached || (last && (after < Phase::reproduction || after == Phase::end))) break;
      for (HostPopulation& population : islands_) reproduce(population, generation);
      if (last && after == Phase::reproduction) break;
      if (parameters_.migrates(generation)) migrate();
    }
    return history;
  }

  /// @return false if no place was found for a point
  bool generate(HostPopulation& population) const {
    for (int set = 0; set < parameters_.sets; ++set)
      if (!generate(population, set)) return false;
    return true;
  }
  void mutate(HostPopulation& population, int generation) const {
    for (int set = 0; set < parameters_.sets; ++set) mutate(population, generation, set);
    std::swap(population.P, population.Q);
  }
  void evaluate(HostPopulation& population) const {
    for (int set = 0; set < parameters_.sets; ++set) {
      unsigned long long score = 0;
      const Point* const points = &population.P[first_of(set)];
      for (int k = 0; k < world_.points; ++k) score += score_of(points[k]);
      population.keys[static_cast<std::size_t>(set)] = key_of(score, set);
    }
  }
  static void select(HostPopulation& population) {
    std::sort(population.keys.begin(), population.keys.end());
  }
  void reproduce(HostPopulation& population, int generation) const {
    for (int rank = parameters_.survivors(); rank < parameters_.sets; ++rank)
      reproduce(population, generation, rank);
  }
  /// The best set of each island replaces the set of the lowest rank on the next island.
  void migrate() {
    std::vector<std::vector<Point>> best;
    for (HostPopulation& population : islands_) {
      const auto begin =
          population.P.begin() + static_cast<std::ptrdiff_t>(first_of(set_of(population.keys.front())));
      best.emplace_back(begin, begin + world_.points);
    }
    for (std::size_t island = 0; island < islands_.size(); ++island) {
      HostPopulation& next = islands_[(island + 1) % islands_.size()];
      std::copy(best[island].begin(), best[island].end(),
                next.P.begin() + static_cast<std::ptrdiff_t>(first_of(set_of(next.keys.back()))));
    }
  }

 private:
  std::size_t first_of(int set) const {
    return static_cast<std::size_t>(set) * static_cast<std::size_t>(world_.points);
  }
  /// Whether a point overlaps one of points[begin …] to points[end - 1], except number `itself`.
  bool meets(const Point* points, int begin, int end, int itself, Point p) const {
    if (!world_.between_points) return false;
    for (int j = begin; j < end; ++j)
      if (j != itself && overlap(world_, points[j], p)) return true;
    return false;
  }
  bool generate(HostPopulation& population, int set) const {
    const Individual who = {population.island, 0, static_cast<std::uint32_t>(set)};
    Point* const points = &population.P[first_of(set)];
    for (int k = 0; k < world_.points; ++k) {
      std::uint32_t attempt = 0;
      for (; attempt < most_attempts; ++attempt) {
        points[k] = place_of(world_, who, k, attempt);
        if (is_free(world_, spheres_.data(), points[k]) && !meets(points, 0, k, k, points[k])) break;
      }
      if (attempt == most_attempts) return false;
    }
    return true;
  }
  void mutate(HostPopulation& population, int generation, int set) const {
    const Individual who = {population.island, static_cast<std::uint32_t>(generation),
                            static_cast<std::uint32_t>(set)};
    const Point* const before = &population.P[first_of(set)];
    Point* const points = &population.Q[first_of(set)];
    std::copy(before, before + world_.points, points);
    const Mutation mutation = decision_of(world_, who);
    if (mutation == Mutation::none) return;
    for (int k = 0; k < world_.points; ++k) {
      Point to;
      if (moves(world_, who, mutation, before, k, to) && may_move(world_, spheres_.data(), before[k], to) &&
          !meets(points, 0, world_.points, k, to))
        points[k] = to;
    }
  }
  void reproduce(HostPopulation& population, int generation, int rank) const {
    const int set = set_of(population.keys[static_cast<std::size_t>(rank)]);
    const Individual who = {population.island, static_cast<std::uint32_t>(generation),
                            static_cast<std::uint32_t>(set)};
    const Parents parents = parents_of(world_, who, parameters_.survivors());
    const auto of_rank = [&](int r) {
      return &population.P[first_of(set_of(population.keys[static_cast<std::size_t>(r)]))];
    };
    const Point *const first = of_rank(parents.first), *const second = of_rank(parents.second);
    Point* const child = &population.P[first_of(set)];
    std::copy(first, first + world_.points, child);
    for (int k = 0; k < world_.points; ++k)
      if (from_second(world_, who, k) && !meets(child, 0, world_.points, k, second[k])) child[k] = second[k];
  }

  GeneticParameters parameters_;
  World world_;
  std::vector<Sphere> spheres_;
  std::vector<HostPopulation> islands_;
};

}  // namespace lab

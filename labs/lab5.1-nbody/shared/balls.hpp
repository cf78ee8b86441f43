/// @file
/// Balls in a box for the lab on N bodies: the rules of one step, the parameters, and generated balls.
///
/// N balls of equal mass and radius r in a box of side 1, whose floor is y = 0. A step of the simulation computes the
/// next state Q from P, the state of all balls, in this order:
///
///     gravity    each velocity's y becomes smaller by g · dt
///     walls      a centre that is nearer to a wall than r is put to the distance r; if it moves towards the wall, its
///                velocity across the wall is reversed and multiplied by the bounce decay
///     pairs      two balls that overlap (distance < 2 r) and approach exchange their velocities along the line between
///                their centres; all changes are computed from P, and added up in Q
///     advance    each velocity of Q is multiplied by the global decay, each centre moves by velocity · dt
///
/// Collisions amplify the smallest difference, so two programs agree only if they agree bit for bit. Three rules ensure
/// that, on every machine and in every order of the pairs:
///
///   * velocities are whole numbers, in units of 2^-32: sums of whole numbers don't depend on their order, and one ball
///     gains exactly what the other loses;
///   * a product of floats that is added to something is rounded first (rounded_product): no compiler fuses the two;
///   * changes are computed in double from floats, whose products are exact there.
///
/// Host and device code; the functions in the last part are for the host alone.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <lab/random.hpp>
#include <lab/rounding.hpp>

namespace lab {

/// A ball's centre, in sides of the box. 16 bytes: one load.
struct alignas(16) Position {
  float x, y, z;
  float unused;  ///< 0
};

/// A velocity, or a change of velocity, in units of 2^-32 sides of the box per second.
struct Velocity {
  long long x, y, z;
};

/// The number of a Velocity's units in one side of the box per second.
constexpr double velocity_units = 4294967296.0;

/// One step's constants, as kernels receive them.
struct BallStep {
  float low, high;       ///< range of the centres' coordinates; far beyond any ball if there are no walls
  float reach_squared;   ///< (2 r)²: two balls overlap if their centres are nearer
  int walls;             ///< 0: none
  long long fall;        ///< gravity lowers a velocity's y by this amount in a step
  double bounce, decay;  ///< factors of velocities: at a wall, and in each step
  double advance;        ///< distance per unit of velocity in a step
};

/// Gravity and walls, for one ball.
LAB_ON_BOTH inline void fall_and_bounce(Position& position, Velocity& velocity, const BallStep& step) {
  velocity.y -= step.fall;
  if (!step.walls) return;
  float* const at[] = {&position.x, &position.y, &position.z};
  long long* const speed[] = {&velocity.x, &velocity.y, &velocity.z};
  for (int axis = 0; axis < 3; ++axis) {
    const bool below = *at[axis]<step.low, above = *at[axis]> step.high;
    if (!below && !above) continue;
    *at[axis] = below ? step.low : step.high;
    if (below == (*speed[axis] < 0))  // towards the wall
      *speed[axis] = nearest(-static_cast<double>(*speed[axis]) * step.bounce);
  }
}

/// Whether two balls overlap.
LAB_ON_BOTH inline bool overlap(const Position& a, const Position& b, const BallStep& step) {
  const float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
  const float squared = rounded_product(x, x) + rounded_product(y, y) + rounded_product(z, z);
  return squared < step.reach_squared;
}

/// The change of ball a's velocity by a collision with ball b; zeros if the balls move apart. The change of b's
/// velocity is exactly the negative of this change.
/// @pre the balls overlap
LAB_ON_BOTH inline Velocity collision(const Position& a, const Velocity& va, const Position& b,
                                      const Velocity& vb) {
  // Floats, so that all products below are exact in double.
  const double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
  const double vx = static_cast<float>(vb.x - va.x), vy = static_cast<float>(vb.y - va.y),
               vz = static_cast<float>(vb.z - va.z);
  const double approach = vx * x + vy * y + vz * z;
  if (!(approach < 0)) return {0, 0, 0};  // apart, or both centres at the same place: no direction
  const double share = approach / (x * x + y * y + z * z);
  return {nearest(share * x), nearest(share * y), nearest(share * z)};
}

/// Decay and advance, for one ball.
LAB_ON_BOTH inline void advance(Position& position, Velocity& velocity, const BallStep& step) {
  velocity.x = nearest(static_cast<double>(velocity.x) * step.decay);
  velocity.y = nearest(static_cast<double>(velocity.y) * step.decay);
  velocity.z = nearest(static_cast<double>(velocity.z) * step.decay);
  position.x += static_cast<float>(static_cast<double>(velocity.x) * step.advance);
  position.y += static_cast<float>(static_cast<double>(velocity.y) * step.advance);
  position.z += static_cast<float>(static_cast<double>(velocity.z) * step.advance);
}

// ------------------------------------------------------------------------------------------- the host alone

/// All balls at one moment.
struct Balls {
  std::vector<Position> position;
  std::vector<Velocity> velocity;

  std::size_t count() const { return position.size(); }
};

/// The parameters of the physics, as the handout names them.
struct BallParameters {
  double radius = 0.005;        ///< of a ball
  bool walls = true;            ///< whether the box has walls
  double gravity = 1;           ///< g, in sides of the box per second²
  double bounce_decay = 0.8;    ///< factor of the velocity across a wall, at a bounce
  double global_decay = 0.999;  ///< factor of all velocities, in each step
  double time_speed = 0.002;    ///< dt, in seconds per step
};

/// Upper limit of balls: up to this number, an estimate in float of a pair's row is wrong by at most one.
constexpr int most_balls = 1 << 20;

/// The constants of a step.
inline BallStep step_of(const BallParameters& parameters) {
  BallStep step;
  step.walls = parameters.walls ? 1 : 0;
  step.low = static_cast<float>(parameters.radius);
  step.high = static_cast<float>(1 - parameters.radius);
  const auto reach = static_cast<float>(2 * parameters.radius);
  step.reach_squared = rounded_product(reach, reach);
  step.fall = nearest(parameters.gravity * parameters.time_speed * velocity_units);
  step.bounce = parameters.bounce_decay;
  step.decay = parameters.global_decay;
  step.advance = parameters.time_speed / velocity_units;
  return step;
}

/// The number of balls of a radius that fit into the box at the start: one in each cell of a lattice whose cells are as
/// large as a ball.
inline std::int64_t room_for_balls(double radius) {
  const auto side = static_cast<std::int64_t>(1 / (2 * radius) * (1 + 1e-9));
  return std::min<std::int64_t>(side, 4096) * std::min<std::int64_t>(side, 4096) *
         std::min<std::int64_t>(side, 4096);
}

/// Random balls in the box that don't overlap; each velocity's x, y and z are in [-speed, speed]. Each ball has a
/// random place in its own cell of the coarsest lattice that has a cell for each ball. A ball's number does not depend
/// on its place.
/// @pre count <= room_for_balls(radius)
inline Balls draw_balls(Random& random, int count, double radius, double speed) {
  std::int64_t side = 1;
  while (side * side * side < count) ++side;
  std::vector<std::int64_t> cells(static_cast<std::size_t>(side * side * side));
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<std::int64_t>(i);
  const double width = 1.0 / static_cast<double>(side), play = std::max(0.0, width / 2 - radius) * 0.999;
  Balls balls;
  for (int i = 0; i < count; ++i) {
    const auto other =
        static_cast<std::size_t>(random.integer(i, static_cast<std::int64_t>(cells.size()) - 1));
    std::swap(cells[static_cast<std::size_t>(i)], cells[other]);
    const std::int64_t cell = cells[static_cast<std::size_t>(i)];
    const auto place = [&](std::int64_t of_cell) {
      return static_cast<float>((static_cast<double>(of_cell) + 0.5) * width + random.real(-1, 1) * play);
    };
    const float x = place(cell % side), y = place(cell / side % side), z = place(cell / side / side);
    balls.position.push_back({x, y, z, 0});
    const auto part = [&] {  // a float, so that a file stores it exactly
      return nearest(static_cast<double>(static_cast<float>(random.real(-1, 1) * speed)) * velocity_units);
    };
    const long long vx = part(), vy = part(), vz = part();
    balls.velocity.push_back({vx, vy, vz});
  }
  return balls;
}

/// Balls anywhere in the box, which may overlap, so that a ball has several collisions in one step.
inline Balls draw_crowd(Random& random, int count, double radius, double speed) {
  Balls balls;
  const auto place = [&] { return static_cast<float>(random.real(radius, 1 - radius)); };
  const auto part = [&] {
    return nearest(static_cast<double>(static_cast<float>(random.real(-1, 1) * speed)) * velocity_units);
  };
  for (int i = 0; i < count; ++i) {
    const float x = place(), y = place(), z = place();
    balls.position.push_back({x, y, z, 0});
    const long long vx = part(), vy = part(), vz = part();
    balls.velocity.push_back({vx, vy, vz});
  }
  return balls;
}

/// Balls as rows of six float, (count, 6): centre and velocity.
inline std::vector<float> rows_of(const Balls& balls) {
  std::vector<float> rows;
  for (std::size_t i = 0; i < balls.count(); ++i) {
    const Position& p = balls.position[i];
    const Velocity& v = balls.velocity[i];
    for (const float value : {p.x, p.y, p.z}) rows.push_back(value);
    for (const long long value : {v.x, v.y, v.z})
      rows.push_back(static_cast<float>(static_cast<double>(value) / velocity_units));
  }
  return rows;
}

/// The balls in the rows of rows_of().
inline Balls balls_of(const std::vector<float>& rows) {
  Balls balls;
  for (std::size_t i = 0; i + 6 <= rows.size(); i += 6) {
    balls.position.push_back({rows[i], rows[i + 1], rows[i + 2], 0});
    const auto units = [&](std::size_t j) {
      return nearest(static_cast<double>(rows[i + j]) * velocity_units);
    };
    balls.velocity.push_back({units(3), units(4), units(5)});
  }
  return balls;
}

namespace detail {

/// If the balls i and j collide, adds the changes of their velocities to `next`, and counts the collision for both.
inline void collide_on_host(const Balls& balls, Balls& next, std::size_t i, std::size_t j,
                            const BallStep& step, std::vector<int>& collisions) {
  if (!overlap(balls.position[i], balls.position[j], step)) return;
  const Velocity change =
      collision(balls.position[i], balls.velocity[i], balls.position[j], balls.velocity[j]);
  if (change.x == 0 && change.y == 0 && change.z == 0) return;
  ++collisions[i];
  ++collisions[j];
  next.velocity[i].x += change.x;
  next.velocity[i].y += change.y;
  next.velocity[i].z += change.z;
  next.velocity[j].x -= change.x;
  next.velocity[j].y -= change.y;
  next.velocity[j].z -= change.z;
}

/// A step that examines the pairs that `for_pairs` visits.
template <typename ForPairs>
int step_on_host(Balls& balls, Balls& next, const BallStep& step, ForPairs for_pairs) {
  const std::size_t count = balls.count();
  for (std::size_t i = 0; i < count; ++i) fall_and_bounce(balls.position[i], balls.velocity[i], step);
  next = balls;
  std::vector<int> collisions(count);
  for_pairs(collisions);
  for (std::size_t i = 0; i < count; ++i) advance(next.position[i], next.velocity[i], step);
  std::swap(balls, next);
  return collisions.empty() ? 0 : *std::max_element(collisions.begin(), collisions.end());
}

}  // namespace detail

/// The sequential program's step, which examines all pairs. @param next room for the next state
/// @return the most collisions of one ball in this step
inline int sequential_step(Balls& balls, Balls& next, const BallStep& step) {
  return detail::step_on_host(balls, next, step, [&](std::vector<int>& collisions) {
    for (std::size_t i = 0; i < balls.count(); ++i)
      for (std::size_t j = i + 1; j < balls.count(); ++j)
        detail::collide_on_host(balls, next, i, j, step, collisions);
  });
}

/// The box as cells: cubes large enough that overlapping balls are in the same cell or in neighbouring cells.
struct BallGrid {
  int side;     ///< cells along x, y and z
  float scale;  ///< cells in one side of the box

  LAB_ON_BOTH int cells() const { return side * side * side; }

  /// The cell of a coordinate along its axis. Coordinates outside the box belong to the outermost cells.
  LAB_ON_BOTH int along(float coordinate) const {
    const float cell = coordinate * scale;
    if (!(cell > 0)) return 0;
    return cell >= static_cast<float>(side) ? side - 1 : static_cast<int>(cell);
  }
};

/// A grid with about one ball per cell. No cell is smaller than slightly more than a ball's diameter, so that rounding
/// does not matter; there are at most 256 cells along a side.
inline BallGrid grid_of(std::size_t count, double radius) {
  const double by_radius = 0.999 / (2 * radius), by_count = std::cbrt(static_cast<double>(count));
  BallGrid grid;
  grid.side = static_cast<int>(std::max(1.0, std::min({by_radius, by_count, 256.0})));
  grid.scale = static_cast<float>(grid.side);
  return grid;
}

/// The same step with a grid, which examines only balls of neighbouring cells. The result is the same, bit for bit.
inline int sequential_grid_step(Balls& balls, Balls& next, const BallStep& step, const BallGrid& grid) {
  return detail::step_on_host(balls, next, step, [&](std::vector<int>& collisions) {
    const int count = static_cast<int>(balls.count());
    // A list for each cell: its first ball, and for each ball the next ball.
    std::vector<int> first(static_cast<std::size_t>(grid.cells()), -1), behind(balls.count());
    const auto cell_of = [&](int x, int y, int z) {
      return static_cast<std::size_t>((z * grid.side + y) * grid.side + x);
    };
    for (int i = 0; i < count; ++i) {
      const Position& p = balls.position[static_cast<std::size_t>(i)];
      int& head = first[cell_of(grid.along(p.x), grid.along(p.y), grid.along(p.z))];
      behind[static_cast<std::size_t>(i)] = head;
      head = i;
    }
    const int last = grid.side - 1;
    for (int i = 0; i < count; ++i) {
      const Position& p = balls.position[static_cast<std::size_t>(i)];
      const int cx = grid.along(p.x), cy = grid.along(p.y), cz = grid.along(p.z);
      for (int z = std::max(cz - 1, 0); z <= std::min(cz + 1, last); ++z)
        for (int y = std::max(cy - 1, 0); y <= std::min(cy + 1, last); ++y)
          for (int x = std::max(cx - 1, 0); x <= std::min(cx + 1, last); ++x)
            for (int j = first[cell_of(x, y, z)]; j >= 0; j = behind[static_cast<std::size_t>(j)])
              if (i < j)
                detail::collide_on_host(balls, next, static_cast<std::size_t>(i), static_cast<std::size_t>(j),
                                        step, collisions);
    }
  });
}

/// Quantities that no collision changes: momentum in x, y and z, and energy. Each ball has mass 1.
struct Conserved {
  double momentum[3];  ///< sides of the box a second; sums of whole numbers, exact
  double energy;       ///< kinetic: sum of v² / 2; a sum of double
};

inline Conserved conserved_of(const Balls& balls) {
  long long sum[3] = {};
  double energy = 0;
  for (const Velocity& v : balls.velocity) {
    sum[0] += v.x;
    sum[1] += v.y;
    sum[2] += v.z;
    for (const long long part : {v.x, v.y, v.z}) {
      const double speed = static_cast<double>(part) / velocity_units;
      energy += speed * speed / 2;
    }
  }
  Conserved conserved;
  for (int axis = 0; axis < 3; ++axis)
    conserved.momentum[axis] = static_cast<double>(sum[axis]) / velocity_units;
  conserved.energy = energy;
  return conserved;
}

}  // namespace lab

/// @file
/// Tests balls in a box: the effects of a step, the conserved quantities, and the agreement of all orders and both
/// algorithms.
#include <gtest/gtest.h>

#include <cstring>

#include "attraction.hpp"
#include "balls.hpp"

namespace {

lab::BallParameters without_losses(double radius) {
  lab::BallParameters parameters;
  parameters.radius = radius;
  parameters.walls = false;
  parameters.gravity = 0;
  parameters.global_decay = 1;
  return parameters;
}

lab::Balls balls(std::initializer_list<std::vector<float>> rows) {
  std::vector<float> all;
  for (const std::vector<float>& row : rows) all.insert(all.end(), row.begin(), row.end());
  return lab::balls_of(all);
}

/// @return the most collisions of a ball in a step
int simulate(lab::Balls& state, const lab::BallParameters& parameters, int steps) {
  lab::Balls next;
  int most = 0;
  for (; steps > 0; --steps)
    most = std::max(most, lab::sequential_step(state, next, lab::step_of(parameters)));
  return most;
}

void expect_same(const lab::Balls& a, const lab::Balls& b) {
  ASSERT_EQ(a.count(), b.count());
  for (std::size_t i = 0; i < a.count(); ++i) {
    EXPECT_EQ(std::memcmp(&a.position[i], &b.position[i], sizeof a.position[i]), 0) << i;
    EXPECT_EQ(std::memcmp(&a.velocity[i], &b.velocity[i], sizeof a.velocity[i]), 0) << i;
  }
}

TEST(Balls, RowsAndBallsAreTheSame) {
  lab::Random random(1);
  const lab::Balls some = lab::draw_balls(random, 50, 0.01, 0.5);
  expect_same(lab::balls_of(lab::rows_of(some)), some);
}

TEST(Balls, BeginInTheBoxWithoutTouching) {
  lab::Random random(2);
  for (const double radius : {0.005, 0.1, 0.125, 0.5}) {
    const int count = static_cast<int>(std::min<std::int64_t>(lab::room_for_balls(radius), 200));
    const lab::Balls some = lab::draw_balls(random, count, radius, 1);
    const lab::BallStep step = lab::step_of(lab::BallParameters{radius});
    for (std::size_t i = 0; i < some.count(); ++i) {
      for (const float at : {some.position[i].x, some.position[i].y, some.position[i].z}) {
        EXPECT_GE(at, step.low - 1e-6F);
        EXPECT_LE(at, step.high + 1e-6F);
      }
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_GE(std::hypot(some.position[i].x - some.position[j].x, some.position[i].y - some.position[j].y,
                             some.position[i].z - some.position[j].z),
                  2 * radius * 0.999);
    }
  }
  EXPECT_EQ(lab::room_for_balls(0.5), 1);
  EXPECT_EQ(lab::room_for_balls(0.05), 1000);
}

TEST(Balls, OfEqualMassExchangeTheirVelocities) {
  lab::Balls two = balls({{0.4F, 0.5F, 0.5F, 1, 0.25F, 0}, {0.45F, 0.5F, 0.5F, -0.5F, 0, 0}});
  EXPECT_EQ(simulate(two, without_losses(0.05), 1), 1);
  const std::vector<float> rows = lab::rows_of(two);
  EXPECT_FLOAT_EQ(rows[3], -0.5F);  // exchanged along the line between the centres
  EXPECT_FLOAT_EQ(rows[9], 1);
  EXPECT_FLOAT_EQ(rows[4], 0.25F);  // unchanged across this line
}

TEST(Balls, ThatMoveApartDoNotCollide) {
  lab::Balls two = balls({{0.4F, 0.5F, 0.5F, -1, 0, 0}, {0.45F, 0.5F, 0.5F, 1, 0, 0}});
  EXPECT_EQ(simulate(two, without_losses(0.05), 3), 0);
  lab::Balls same_place = balls({{0.5F, 0.5F, 0.5F, -1, 0, 0}, {0.5F, 0.5F, 0.5F, 1, 0, 0}});
  EXPECT_EQ(simulate(same_place, without_losses(0.05), 1), 0);
}

TEST(Balls, FallAndBounce) {
  lab::BallParameters parameters;
  parameters.radius = 0.1;
  parameters.global_decay = 1;
  parameters.time_speed = 0.01;
  lab::Balls one = balls({{0.5F, 0.05F, 0.5F, 0.5F, -1, 0}});
  simulate(one, parameters, 1);
  const std::vector<float> rows = lab::rows_of(one);
  EXPECT_NEAR(rows[4], 0.8 * 1.01, 1e-6);  // gravity first, then the floor
  EXPECT_NEAR(rows[1], 0.1 + 0.01 * 0.8 * 1.01, 1e-6);
  EXPECT_FLOAT_EQ(rows[3], 0.5F);  // along the wall nothing changes
}

TEST(Balls, KeepMomentumExactlyAndEnergyNearly) {
  lab::Random random(3);
  lab::Balls some = lab::draw_balls(random, 100, 0.02, 0.5);
  const lab::Conserved before = lab::conserved_of(some);
  EXPECT_EQ(simulate(some, without_losses(0.02), 200), 1);
  const lab::Conserved after = lab::conserved_of(some);
  EXPECT_EQ(std::memcmp(before.momentum, after.momentum, sizeof before.momentum), 0);
  EXPECT_NEAR(after.energy, before.energy, 1e-6 * before.energy);
}

TEST(Balls, OfAGridAreThoseOfAllPairs) {
  for (const int seed : {4, 5, 6}) {
    for (const double radius : {0.02, 0.06, 0.3}) {
      for (const bool walls : {true, false}) {
        lab::Random random(static_cast<std::uint64_t>(seed));
        lab::Balls all = lab::draw_crowd(random, 150, radius, walls ? 0.5 : 30), by_grid = all, next;
        lab::BallParameters parameters;
        parameters.radius = radius;
        parameters.walls = walls;
        const lab::BallStep step = lab::step_of(parameters);
        int most = 0;
        for (int it = 0; it < 20; ++it) {
          most = std::max(most, lab::sequential_step(all, next, step));
          lab::sequential_grid_step(by_grid, next, step, lab::grid_of(150, radius));
        }
        EXPECT_GE(most, 1);
        expect_same(all, by_grid);
      }
    }
  }
}

TEST(Balls, NeighboursAreInNeighbouringCells) {
  for (const double radius : {0.0002, 0.005, 0.0499999, 0.05, 0.2, 0.5}) {
    const lab::BallGrid grid = lab::grid_of(1 << 20, radius);
    const auto reach = static_cast<float>(2 * radius);
    for (float at = -0.5F; at < 1.5F; at += 0.0009765F)
      EXPECT_LE(grid.along(at + reach) - grid.along(at), 1) << radius << " at " << at;
  }
}

TEST(Attraction, OfTwoBodiesIsAsTheFormulaSays) {
  std::vector<double> rows = {0.4, 0.5, 0.5, 0, 0, 0, 0.6, 0.5, 0.5, 0, 0, 0};
  lab::attract(rows, 1, 1.0, 0.01);
  const double r = 0.2, acceleration = r / std::pow(r * r + lab::softening * lab::softening, 1.5) / 2;
  EXPECT_NEAR(rows[3], 0.01 * acceleration, 1e-12);
  EXPECT_NEAR(rows[9], -0.01 * acceleration, 1e-12);
  EXPECT_NEAR(rows[0], 0.4 + 0.0001 * acceleration, 1e-12);
}

TEST(Attraction, IsTheSameForAnyNumberOfThreads) {
  lab::Random random(5);
  const std::vector<float> drawn = lab::rows_of(lab::draw_balls(random, 103, 0.01, 0.5));
  const std::vector<double> begin(drawn.begin(), drawn.end());
  std::vector<double> alone = begin;
  lab::attract(alone, 3, 1.0, 0.01);
  EXPECT_NE(alone, begin);
  for (const std::size_t threads : {2u, 5u, 103u, 200u}) {
    std::vector<double> rows = begin;
    lab::attract(rows, 3, 1.0, 0.01, threads);
    EXPECT_EQ(rows, alone) << threads;
  }
}

}  // namespace

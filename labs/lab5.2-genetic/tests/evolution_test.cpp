/// @file
/// Tests sets of points that evolve: they break no rule and come nearer to the goal, and their points move as
/// specified.
#include <gtest/gtest.h>

#include <cstring>

#include "evolution.hpp"

namespace {

std::vector<lab::Sphere> some_spheres() {
  lab::Random random(7);
  return lab::draw_spheres(random, 6, 0.25);
}

/// Points so large and moves so long that many points meet.
lab::GeneticParameters crowded() {
  lab::GeneticParameters parameters;
  parameters.sets = 24;
  parameters.points = 16;
  parameters.radius = 0.11;
  parameters.step = 0.4;
  return parameters;
}

/// Counts points in forbidden places.
int impossible(const lab::GeneticParameters& parameters, const std::vector<lab::Sphere>& spheres,
               const lab::HostPopulation& population) {
  const lab::World world = lab::world_of(parameters, static_cast<int>(spheres.size()));
  int wrong = 0;
  for (std::size_t i = 0; i < population.P.size(); ++i) {
    wrong += !lab::is_free(world, spheres.data(), population.P[i]);
    const std::size_t first = i - i % static_cast<std::size_t>(parameters.points);
    for (std::size_t j = first; j < i && parameters.between_points; ++j)
      wrong += lab::overlap(world, population.P[j], population.P[i]);
  }
  return wrong;
}

bool same(const std::vector<lab::Point>& a, const std::vector<lab::Point>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(lab::Point)) == 0;
}

TEST(Genetic, NoPhaseLeavesAPointWhereNoneMayBe) {
  for (const bool between_points : {true, false}) {
    lab::GeneticParameters parameters = crowded();
    parameters.between_points = between_points;
    for (const lab::Phase after : {lab::Phase::generation, lab::Phase::mutation, lab::Phase::reproduction}) {
      lab::SequentialEvolution evolution(parameters, some_spheres());
      evolution.run(5, after);
      EXPECT_EQ(impossible(parameters, some_spheres(), evolution.islands()[0]), 0);
    }
  }
}

TEST(Genetic, SetsComeNearerToTheGoal) {
  lab::GeneticParameters parameters;
  parameters.sets = 40;
  parameters.points = 10;
  lab::SequentialEvolution evolution(parameters, some_spheres());
  const std::vector<unsigned long long> best = evolution.run(80, lab::Phase::end);
  ASSERT_EQ(best.size(), 80u);
  EXPECT_GT(lab::mean_distance(best.front(), 10), 0.6);
  EXPECT_LT(lab::mean_distance(best.back(), 10), 0.4);
  EXPECT_GE(lab::mean_distance(best.back(), 10), 0.27) << "the red sphere's radius and that of a point";
}

TEST(Genetic, EndsWhenASetIsGoodEnough) {
  lab::GeneticParameters parameters = crowded();
  parameters.radius = 0.02;
  lab::SequentialEvolution evolution(parameters, some_spheres());
  const unsigned long long goal = lab::goal_score(0.4, 0.25, parameters.points);
  const std::vector<unsigned long long> best = evolution.run(100, lab::Phase::end, goal);
  ASSERT_LT(best.size(), 100u);
  EXPECT_LE(lab::score_in(best.back()), goal);
  EXPECT_GT(lab::score_in(best[best.size() - 2]), goal);
}

TEST(Genetic, IslandsDifferAndMigrationChangesThem) {
  lab::GeneticParameters parameters = crowded();
  parameters.islands = 2;
  lab::SequentialEvolution alone(parameters, some_spheres());
  alone.run(2, lab::Phase::migration);
  EXPECT_FALSE(same(alone.islands()[0].P, alone.islands()[1].P));
  parameters.migration = 2;
  lab::SequentialEvolution together(parameters, some_spheres());
  together.run(2, lab::Phase::migration);
  EXPECT_FALSE(same(alone.islands()[0].P, together.islands()[0].P));
  // The first of two islands evolves as it does alone.
  parameters.islands = 1;
  lab::SequentialEvolution one(parameters, some_spheres());
  one.run(2, lab::Phase::migration);
  EXPECT_TRUE(same(alone.islands()[0].P, one.islands()[0].P));
}

TEST(Genetic, ChildrenHaveTheirPointsFromTheirParents) {
  lab::GeneticParameters parameters = crowded();
  parameters.between_points = false;
  parameters.set_mutation = 0;
  lab::SequentialEvolution evolution(parameters, some_spheres());
  lab::HostPopulation& population = evolution.island(0);
  evolution.generate(population);
  evolution.evaluate(population);
  lab::SequentialEvolution::select(population);
  const std::vector<lab::Point> before = population.P;
  evolution.reproduce(population, 1);
  const int survivors = parameters.survivors();
  EXPECT_EQ(survivors, 6);
  const lab::World world = lab::world_of(parameters, 6);
  for (int rank = 0; rank < parameters.sets; ++rank) {
    const int set = lab::set_of(population.keys[static_cast<std::size_t>(rank)]);
    const lab::Parents parents = lab::parents_of(world, {0, 1, static_cast<std::uint32_t>(set)}, survivors);
    EXPECT_NE(parents.first, parents.second);
    int of_second = 0;
    for (int k = 0; k < parameters.points; ++k) {
      const auto at = [&](int of, const std::vector<lab::Point>& P) {
        return P[static_cast<std::size_t>(of * parameters.points + k)];
      };
      const auto of_rank = [&](int r) { return lab::set_of(population.keys[static_cast<std::size_t>(r)]); };
      const lab::Point child = at(set, population.P), first = at(of_rank(parents.first), before),
                       second = at(of_rank(parents.second), before), own = at(set, before);
      if (rank < survivors) {
        EXPECT_EQ(child.x, own.x) << "a survivor";
      } else {
        EXPECT_TRUE(child.x == first.x || child.x == second.x);
        of_second += child.x == second.x;
      }
    }
    if (rank >= survivors) {
      EXPECT_GT(of_second, 0);
      EXPECT_LT(of_second, parameters.points);
    }
  }
}

TEST(Genetic, AMoveMayNotCrossASphere) {
  const lab::GeneticParameters parameters;
  lab::World world = lab::world_of(parameters, 1);
  const lab::Sphere ball = {0, 0, 0, 0.25f};
  const lab::Point left = {-0.5f, 0, 0}, right = {0.5f, 0, 0}, above = {0, 0.5f, 0}, inside = {0.1f, 0, 0};
  EXPECT_FALSE(lab::may_move(world, &ball, left, right));
  EXPECT_TRUE(lab::may_move(world, &ball, left, above)) << "passes at 0.35";
  EXPECT_FALSE(lab::may_move(world, &ball, left, inside));
  EXPECT_FALSE(lab::may_move(world, &ball, left, {-1.5f, 0, 0})) << "the end of the world";
  EXPECT_TRUE(lab::may_move(world, &ball, left, {-0.9f, 0, 0})) << "away from it";
  world.whole_path = 0;
  EXPECT_TRUE(lab::may_move(world, &ball, left, right));
}

TEST(Genetic, NoMoveIsLongerThanAStep) {
  lab::GeneticParameters parameters = crowded();
  parameters.point_mutation = 1;
  const lab::World world = lab::world_of(parameters, 0);
  std::vector<lab::Point> points;
  for (int k = 0; k < parameters.points; ++k) points.push_back(lab::place_of(world, {0, 0, 0}, k, 0));
  int moved = 0;
  for (const lab::Mutation mutation : {lab::Mutation::mix, lab::Mutation::move}) {
    for (int k = 0; k < parameters.points; ++k) {
      lab::Point to;
      if (!lab::moves(world, {0, 1, 0}, mutation, points.data(), k, to)) continue;
      const lab::Point from = points[static_cast<std::size_t>(k)];
      EXPECT_LE(std::hypot(to.x - from.x, to.y - from.y, to.z - from.z), parameters.step * 1.00001);
      ++moved;
    }
  }
  EXPECT_EQ(moved, 2 * parameters.points);
  lab::Point to;
  EXPECT_FALSE(lab::moves(world, {0, 1, 0}, lab::Mutation::none, points.data(), 0, to));
}

TEST(Genetic, KeysAreOrderedByScoreAndNumber) {
  EXPECT_LT(lab::key_of(1, 65535), lab::key_of(2, 0));
  EXPECT_LT(lab::key_of(2, 0), lab::key_of(2, 1));
  EXPECT_EQ(lab::set_of(lab::key_of(77, 40000)), 40000);
  EXPECT_EQ(lab::score_in(lab::key_of(77, 40000)), 77u);
  // The largest possible score leaves room for the number.
  const unsigned long long most = lab::most_points * lab::score_of({1, 1, 1});
  EXPECT_EQ(lab::score_in(lab::key_of(most, 65535)), most);
}

TEST(Genetic, RoomIsWhatSpheresAndPointsLeave) {
  lab::GeneticParameters parameters;
  EXPECT_GT(lab::room_for(lab::world_of(parameters, 6), some_spheres()), 0.5);
  parameters.radius = 0.2;
  EXPECT_LT(lab::room_for(lab::world_of(parameters, 6), some_spheres()), 0.05) << "1,024 points";
  parameters.points = 1;
  const std::vector<lab::Sphere> all = {{0, 0, 0, 3}};
  EXPECT_LT(lab::room_for(lab::world_of(parameters, 1), all), 0.05);
}

}  // namespace

/// @file
/// Bodies that attract each other, for the second exercise of the lab on N bodies: the reference, in double.
///
/// N bodies of mass 1/N. With r = p_j - p_i the acceleration of body i is
///
///     a_i = G / N · sum over j of r / (|r|² + ε²)^(3/2)
///
/// The softening ε limits the acceleration of bodies that meet. For j = i the term is zero, so the sum may include it.
/// A step adds a · dt to each velocity, then velocity · dt to each position (semi-implicit Euler).
///
/// L. Nyland, M. Harris, J. Prins, "Fast N-body simulation with CUDA", GPU Gems 3, chapter 31. Host code only.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <thread>
#include <vector>

namespace lab {

/// ε, in sides of the box.
constexpr double softening = 0.02;

/// Steps of all bodies. @param rows (N, 6): position and velocity
/// @param threads  among which the bodies are divided; the result does not depend on it
/// @tparam T double for the reference, float for a sequential program whose time is compared
template <typename T>
void attract(std::vector<T>& rows, int steps, T G, T dt, std::size_t threads = 1) {
  const std::size_t count = rows.size() / 6;
  const T push = G * dt / static_cast<T>(count), softening_squared = static_cast<T>(softening * softening);
  const auto push_bodies = [&](std::size_t begin, std::size_t end) {  // reads positions, writes velocities
    for (std::size_t i = begin; i < end; ++i) {
      T* const a = &rows[6 * i];
      T sum[3] = {};
      for (std::size_t j = 0; j < count; ++j) {
        const T* const b = &rows[6 * j];
        const T x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
        const T inverse = 1 / std::sqrt(x * x + y * y + z * z + softening_squared);
        const T cube = inverse * inverse * inverse;
        sum[0] += x * cube;
        sum[1] += y * cube;
        sum[2] += z * cube;
      }
      for (int axis = 0; axis < 3; ++axis) a[3 + axis] += push * sum[axis];
    }
  };
  for (; steps > 0; --steps) {
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < threads; ++t)
      others.emplace_back(push_bodies, count * t / threads, count * (t + 1) / threads);
    push_bodies(0, count / std::max<std::size_t>(threads, 1));
    for (std::thread& other : others) other.join();
    for (std::size_t i = 0; i < count; ++i) {
      for (int axis = 0; axis < 3; ++axis) rows[6 * i + axis] += dt * rows[6 * i + 3 + axis];
    }
  }
}

/// The number of threads for `count` bodies, since starting a thread does not pay for fewer than 512 bodies.
inline std::size_t threads_for_bodies(std::size_t count) {
  constexpr std::size_t bodies_of_a_thread = 512;
  return std::clamp<std::size_t>(count / bodies_of_a_thread, 1,
                                 std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace lab

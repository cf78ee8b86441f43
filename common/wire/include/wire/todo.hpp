/// @file
/// A LAB_TODO blank that a program of a lab reached.
#pragma once
#include "stop.hpp"

namespace kit_wire {

struct Todo {
  int part = 0;
  Place place;
};

inline std::string todo_line(const Todo& todo) {
  Object object;
  object.add("kind", "todo").add("part", todo.part);
  return detail::add_place(object, todo.place).text();
}

}  // namespace kit_wire

# kit_room(NAME DEPENDS room … LIBRARIES target … [TESTS_READ path …])
#
# A room is a folder src/NAME with one step of the grader, and a static library grader_NAME. It may include and link
# only the rooms under DEPENDS. Its tests are linked only with this library, so they don't link if a room is not
# declared. kit_check_rooms() refuses an #include from a room that is not declared. Rooms are declared in the order of
# the data flow, and name only rooms that are declared before, so there are no cycles.
#
# A room's sources are compiled eight at a time, and so are its tests. If a large room were compiled as one source, a
# full build would not be faster, and a build after each change would take half a minute.
#
# The texts of a room's pages, src/NAME/*.html, *.css and *.js, become constants in namespace grader, such as
# player_js for player.js. Sources that use these constants declare them. So the texts remain files for editors and
# linters.

function(kit_room name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES;TESTS_READ" ${ARGN})
  set(batch 8)
  foreach(room IN LISTS ARG_DEPENDS)
    if(NOT TARGET grader_${room})
      message(FATAL_ERROR "room ${name}: '${room}' is no room that was declared before it")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY KIT_ROOMS ${name})
  set_property(GLOBAL PROPERTY KIT_ROOM_${name} "${ARG_DEPENDS}")

  file(GLOB sources CONFIGURE_DEPENDS src/${name}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  kit_room_texts(${name} texts)
  add_library(grader_${name} STATIC ${sources} ${texts})
  target_include_directories(grader_${name} PUBLIC src)
  list(TRANSFORM ARG_DEPENDS PREPEND grader_ OUTPUT_VARIABLE libraries)
  target_link_libraries(grader_${name} PUBLIC ${libraries} grader_text PRIVATE kit_flags ${ARG_LIBRARIES})
  target_compile_options(grader_${name} PRIVATE ${KIT_GRADER_OPTIMISATION})
  if(TARGET grader_precompiled)  # built with the same options
    target_precompile_headers(grader_${name} REUSE_FROM grader_precompiled)
  endif()
  kit_unity(grader_${name} BATCH ${batch})
  if(tests)
    kit_add_test(grader_${name}_tests SOURCES ${tests} BATCH ${batch} LIBRARIES grader_${name} ${ARG_LIBRARIES} LABELS unit READS ${ARG_TESTS_READ})
  endif()
endfunction()

# Makes a source with a room's texts. `out` receives the name of the source, which is empty if the room has no texts.
function(kit_room_texts name out)
  set(${out} "" PARENT_SCOPE)
  file(GLOB texts CONFIGURE_DEPENDS src/${name}/*.html src/${name}/*.css src/${name}/*.js)
  if(NOT texts)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${texts})
  set(content "namespace grader {\n")
  foreach(text IN LISTS texts)
    get_filename_component(file "${text}" NAME)
    string(MAKE_C_IDENTIFIER "${file}" identifier)
    file(READ "${text}" words)
    string(APPEND content "extern const char* const ${identifier};\nconst char* const ${identifier} = R\"text(${words})text\";\n")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}_texts.cpp")
  file(WRITE "${source}.new" "${content}}  // namespace grader\n")
  file(COPY_FILE "${source}.new" "${source}" ONLY_IF_DIFFERENT)
  set(${out} "${source}" PARENT_SCOPE)
endfunction()

# kit_check_includes(NAME TITLE FOLDER) adds the target NAME_checked, which runs before compilation. It refuses an
# #include from one folder of FOLDER in another if build/NAME.txt does not declare it ("lower: lex parse").
function(kit_check_includes name title folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*.hpp")
  set(declared "${CMAKE_BINARY_DIR}/${name}.txt")
  set(stamp "${CMAKE_BINARY_DIR}/${name}.checked")
  add_custom_command(OUTPUT "${stamp}"
    COMMAND ${CMAKE_COMMAND} "-DDECLARED=${declared}" "-DSOURCES=${folder}" "-DTITLE=${title}"
            -P "${CMAKE_SOURCE_DIR}/cmake/CheckRooms.cmake"
    COMMAND ${CMAKE_COMMAND} -E touch "${stamp}"
    DEPENDS ${sources} "${declared}" "${CMAKE_SOURCE_DIR}/cmake/CheckRooms.cmake"
    COMMENT "Includes between ${title}" VERBATIM)
  add_custom_target(${name}_checked DEPENDS "${stamp}")
endfunction()

# Declares the check of the includes, which runs before compilation if a source has changed. Also declares the target
# `rooms`, which draws the declarations: build/rooms.dot and, if Graphviz is installed, docs/figures/rooms.svg.
function(kit_check_rooms)
  get_property(rooms GLOBAL PROPERTY KIT_ROOMS)
  set(declared "")
  set(dot "digraph rooms {\n  rankdir=BT; node [shape=box, fontname=\"sans-serif\"];\n")
  foreach(room IN LISTS rooms)
    get_property(depends GLOBAL PROPERTY KIT_ROOM_${room})
    list(JOIN depends " " words)
    string(APPEND declared "${room}: ${words}\n")
    string(APPEND dot "  ${room};\n")
    foreach(other IN LISTS depends)
      string(APPEND dot "  ${room} -> ${other};\n")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/rooms.txt" CONTENT "${declared}" @ONLY)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/rooms.dot" CONTENT "${dot}}\n" @ONLY)

  kit_check_includes(rooms "the grader's rooms" "${CMAKE_CURRENT_SOURCE_DIR}/src")
  list(GET rooms 0 first)
  add_dependencies(grader_${first} rooms_checked)

  find_program(DOT_PROGRAM dot)
  if(DOT_PROGRAM)  # tred removes the edges that follow from others
    find_program(TRED_PROGRAM tred)
    set(about "An arrow leads from a room to one that it may use. Arrows that follow from others are left out.")
    set(drawing "${CMAKE_SOURCE_DIR}/docs/figures/rooms.svg")
    add_custom_target(rooms
      COMMAND sh -c "'${TRED_PROGRAM}' rooms.dot 2>/dev/null | '${DOT_PROGRAM}' -Tsvg | sed '0,/<g /s//<title>The rooms of the grader<\\/title><desc>${about}<\\/desc>\\n<g /' > '${drawing}'"
      WORKING_DIRECTORY "${CMAKE_BINARY_DIR}" COMMENT "docs/figures/rooms.svg" VERBATIM)
  endif()
endfunction()

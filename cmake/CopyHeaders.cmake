# cmake -DFROM=folder -DTO=folder -P CopyHeaders.cmake
#
# Makes TO a copy of FROM. Files keep their dates, and unchanged ones are not rewritten, so that emucc's precompiled headers
# stay valid.
cmake_minimum_required(VERSION 3.22)
file(GLOB_RECURSE old RELATIVE "${TO}" "${TO}/*")
foreach(file IN LISTS old)
  if(NOT EXISTS "${FROM}/${file}")
    file(REMOVE "${TO}/${file}")
  endif()
endforeach()
file(COPY "${FROM}/" DESTINATION "${TO}")

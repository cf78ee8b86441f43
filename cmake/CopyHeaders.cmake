# cmake "-DFROM=folder;…" -DTO=folder -P CopyHeaders.cmake
#
# Makes TO a copy of all files in the folders FROM. The files keep their dates, and unchanged files are not written
# again, so that emucc's precompiled headers stay valid.
cmake_minimum_required(VERSION 3.22)
set(present "")
foreach(folder IN LISTS FROM)
  file(GLOB_RECURSE files RELATIVE "${folder}" "${folder}/*")
  list(APPEND present ${files})
endforeach()
file(GLOB_RECURSE old RELATIVE "${TO}" "${TO}/*")
foreach(file IN LISTS old)
  if(NOT file IN_LIST present)
    file(REMOVE "${TO}/${file}")
  endif()
endforeach()
foreach(folder IN LISTS FROM)
  file(COPY "${folder}/" DESTINATION "${TO}" PATTERN .clang-format EXCLUDE)
endforeach()

# Fails if Doxygen has printed a warning.
file(READ "${FILE}" text)
string(STRIP "${text}" text)
if(text)
  message(FATAL_ERROR "Doxygen warned:\n${text}")
endif()

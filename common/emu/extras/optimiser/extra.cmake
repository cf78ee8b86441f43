# Each folder of emucc/ may include those named after it, and the steps of emucc but driver/ and bench/.
include(KitRooms)
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/optimiser_steps.txt" @ONLY CONTENT
     "facts: \ninline: facts\nsplit: facts inline\nwrite: facts inline split\ndriver: \nbench: \n")
kit_check_includes(optimiser_steps "the optimiser's steps" "${folder}/emucc")
list(APPEND emu_pass_checks optimiser_steps_checked)

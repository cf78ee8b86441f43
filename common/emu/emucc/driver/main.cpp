// emucc accepts nvcc's command line on machines without a GPU. See driver.hpp.
#include <cstdio>
#include <exception>

#include "driver/driver.hpp"
#include "driver/process.hpp"
#include "wire/exit_status.hpp"

int main(int argc, char** argv) {
  int status = 1;
  try {
    emucc::handle_signals();
    status = emucc::drive(emucc::read_options({argv + 1, argv + argc}));
  } catch (const emucc::UsageError& error) {
    std::fprintf(stderr, "emucc: error: %s\n", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "emucc: error: emucc itself failed (%s): this is a mistake in the kit\n",
                 error.what());
  }
  if (emucc::interrupted()) emucc::die_of_signal();
  if (std::fflush(stdout) != 0) status = 1;
  if (status != 0 && emucc::any_was_killed()) {
    std::fputs("emucc: error: the compiler was killed from outside, or memory ran out: try again\n", stderr);
    status = kit_wire::killed_from_outside;
  }
  return status;
}

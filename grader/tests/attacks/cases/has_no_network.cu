// Tries to reach others over the Internet, the sockets of services, and abstract sockets.
// happens: harmless: none of them can be reached
// verdict: passed
// says:
int attack(Run& run) {
  sockaddr_in internet = {};
  internet.sin_family = AF_INET, internet.sin_port = htons(53), internet.sin_addr.s_addr = htonl(0x08080808);
  if (connect(socket(AF_INET, SOCK_STREAM, 0), reinterpret_cast<sockaddr*>(&internet), sizeof internet) == 0)
    return run.gained("the Internet");
  sockaddr_un local = {AF_UNIX, {}};
  for (const char* name :
       {"/run/dbus/system_bus_socket", "/var/run/docker.sock", "/run/munge/munge.socket.2"}) {
    std::strcpy(local.sun_path, name);
    if (connect(socket(AF_UNIX, SOCK_STREAM, 0), reinterpret_cast<sockaddr*>(&local), sizeof local) == 0)
      return run.gained(name);
  }
  run.write(run.on_device());
  return 0;
}

// Opens sockets of families that no network namespace confines: the host's, the kernel's ciphers, whole packets.
// happens: harmless: these sockets are refused
// verdict: passed
// says:
int attack(Run& run) {
  for (const int family : {AF_VSOCK, AF_ALG, AF_PACKET, AF_BLUETOOTH, AF_TIPC, AF_CAN})
    for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET, SOCK_RAW})
      if (socket(family, type, 0) >= 0) return run.gained("a socket of family " + std::to_string(family));
  run.write(run.on_device());
  return 0;
}

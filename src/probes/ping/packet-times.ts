import {
  AF_INET,
  errno,
  libc,
  SO_TIMESTAMPNS,
  SOCK_CLOEXEC,
  SOCK_DGRAM,
  SOL_SOCKET,
  systemError,
} from "./libc.ts";

/** The kernel needs a few milliseconds until it notes the times of packets. */
const ENABLED_AFTER = 50;

/**
 * Lets the kernel note when packets arrive, until the end of the process. It does so only while a socket asks for it, and begins late:
 * until then a reply would seem to arrive when it is read. So one socket, which does nothing else, asks for it all the time.
 *
 * @throws an error of the system
 */
export async function enablePacketTimes(): Promise<void> {
  const calls = libc();
  const descriptor = calls.socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) throw systemError("socket", errno());
  calls.setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, new Int32Array([1]), 4);
  await Bun.sleep(ENABLED_AFTER);
}

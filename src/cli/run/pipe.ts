import { dlopen, ptr } from "bun:ffi";
import { constants } from "node:os";

/** The two ends of a pipe, as descriptors. */
export interface Pipe {
  read: number;
  write: number;
}

/** Both glibc and musl resolve this name to themselves. */
const LIBC = "libc.so.6";

/**
 * A pipe of the system. What Bun 1.4.5 calls a pipe is a socket, which a command can't open by the name `/dev/stdout`. A command
 * inherits only the descriptors that it is given.
 */
export function createPipe(): Pipe {
  const libc = dlopen(LIBC, { pipe: { args: ["ptr"], returns: "i32" } });
  const ends = new Int32Array(2);
  if (libc.symbols.pipe(ptr(ends)) !== 0) throw new Error("there are too many open files for a pipe");
  const [read = -1, write = -1] = ends;
  return { read, write };
}

/** See ioctl_pipe(2). */
const FIONREAD = 0x541b;

/** How many bytes a pipe holds that nobody has read yet. */
export function bytesHeld(descriptor: number): number {
  const libc = dlopen(LIBC, { ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" } });
  const held = new Int32Array(1);
  return libc.symbols.ioctl(descriptor, FIONREAD, ptr(held)) === 0 ? (held[0] ?? 0) : 0;
}

/**
 * Lets this process learn how its children end, although it was started by one that ignores SIGCHLD, and that the kernel would
 * otherwise let forget them: see wait(2).
 */
export function rememberChildren(): void {
  const libc = dlopen(LIBC, { signal: { args: ["i32", "ptr"], returns: "ptr" } });
  const SIG_DFL = null;
  libc.symbols.signal(constants.signals.SIGCHLD, SIG_DFL);
}

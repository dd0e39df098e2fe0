import { dlopen, ptr } from "bun:ffi";

/** The two ends of a pipe, as descriptors. */
export interface Pipe {
  read: number;
  write: number;
}

/**
 * A pipe of the system. What Bun 1.4.5 calls a pipe is a socket, which a command can't open by the name `/dev/stdout`. A command
 * inherits only the descriptors that it is given.
 */
export function createPipe(): Pipe {
  // Both glibc and musl resolve this name to themselves.
  const libc = dlopen("libc.so.6", { pipe: { args: ["ptr"], returns: "i32" } });
  const ends = new Int32Array(2);
  if (libc.symbols.pipe(ptr(ends)) !== 0) throw new Error("there are too many open files for a pipe");
  const [read = -1, write = -1] = ends;
  return { read, write };
}

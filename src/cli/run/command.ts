import { dlopen, ptr } from "bun:ffi";
import { isUtf8 } from "node:buffer";
import { closeSync, existsSync, fstatSync, readFileSync, write } from "node:fs";
import { constants } from "node:os";
import { fileReason } from "../../system-error.ts";

/** A command that runs, and its outputs. */
export interface RunningCommand {
  child: Bun.Subprocess;
  outputs: ForwardedOutput[];
}

/** It could not be started. @property code as in a shell: 127 if there is no such command, else 126 */
export interface NotStarted {
  code: 126 | 127;
  reason: string;
}

/**
 * Starts a command with the input and the environment of this process, and forwards its output.
 *
 * @param ignored the signals that it is to ignore, without `SIG` @param keep is called with each part of the output
 */
export function startCommand(
  command: readonly string[],
  { ignored, keep }: { ignored: readonly string[]; keep: (chunk: Uint8Array) => void },
): RunningCommand | NotStarted {
  const output = createPipe();
  // With one pipe, what it writes to both stays in order.
  const errors = isSameFile() ? output : createPipe();
  rememberChildren();
  try {
    const stdio = { stdin: "inherit", stdout: output.write, stderr: errors.write } as const;
    const child = spawn(prepared(command, ignored), stdio);
    const outputs = [new ForwardedOutput(output.read, 1, keep)];
    if (errors !== output) outputs.push(new ForwardedOutput(errors.read, 2, keep));
    return { child, outputs };
  } catch (error) {
    return notStarted(command[0] ?? "", error as NodeJS.ErrnoException);
  } finally {
    for (const { write } of new Set([output, errors])) closeSync(write);
  }
}

/** Whether standard output and standard error are the same, as in a job of cron. */
function isSameFile(): boolean {
  const [output, errors] = [fstatSync(1), fstatSync(2)];
  return output.dev === errors.dev && output.ino === errors.ino;
}

type Stdio = Pick<Bun.SpawnOptions.OptionsObject<"inherit", number, number>, "stdin" | "stdout" | "stderr">;

function spawn(command: readonly string[], stdio: Stdio): Bun.Subprocess {
  const options = { ...stdio, env: environment() };
  try {
    return Bun.spawn([...command], options);
  } catch (error) {
    const [name = "", ...rest] = command;
    // A script without a first line that names its interpreter is for the shell, as in execvp(3).
    if ((error as NodeJS.ErrnoException).code !== "ENOEXEC") throw error;
    return Bun.spawn(["/bin/sh", Bun.which(name) ?? name, ...rest], options);
  }
}

/**
 * The command as it would run without stillup. Bun resets the signals of a command to their defaults, and has only texts for its
 * arguments and variables: if some are no UTF-8, or signals are to be ignored, a shell passes them on.
 */
function prepared(command: readonly string[], ignored: readonly string[]): readonly string[] {
  const passed = bytesOf("/proc/self/cmdline").slice(-command.length);
  const words = passed.map((word) => (isUtf8(word) ? null : word));
  const variables = bytesOf("/proc/self/environ").filter((one) => !isUtf8(one));
  const exports = variables.flatMap((one) => {
    const end = one.indexOf("=");
    const name = one.subarray(0, end).toString("latin1");
    // A shell has no other names.
    if (!/^[A-Za-z_]\w*$/.test(name)) return [];
    return [`${name}=${inShell(one.subarray(end + 1))}`, `export ${name}="\${${name}%.}"`];
  });
  const isChanged = words.some((word) => word !== null);
  if (ignored.length === 0 && exports.length === 0 && !isChanged) return command;
  const given = words.map((word, at) => (word ? inShell(word) : `"\${${at + 1}}"`));
  const exact = words.map((word, at) => `"\${${at + 1}${word ? "%." : ""}}"`);
  const script = [
    ...(ignored.length > 0 ? [`trap '' ${ignored.join(" ")}`] : []),
    ...exports,
    ...(isChanged ? [`set -- ${given.join(" ")}`] : []),
    `exec ${exact.join(" ")}`,
  ];
  return ["/bin/sh", "-c", script.join("; "), "sh", ...command];
}

/** Arguments or variables of this process, as the kernel has them: texts that end with a zero byte. */
function bytesOf(path: string): Buffer[] {
  const bytes = readFileSync(path);
  const texts: Buffer[] = [];
  for (let from = 0, to = bytes.indexOf(0); to !== -1; from = to + 1, to = bytes.indexOf(0, from))
    texts.push(bytes.subarray(from, to));
  return texts;
}

/** A word of a shell that has some bytes, and a dot after them, which keeps line breaks at the end. */
function inShell(bytes: Uint8Array): string {
  const octal = [...bytes].map((byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("");
  return `"$(printf '%b.' '${octal}')"`;
}

/** The variables with which this process was started: `process.env` also has what the runtime and this program have set. */
export function environment(): Record<string, string> {
  const variables = readFileSync("/proc/self/environ", "utf8").split("\0").filter(Boolean);
  return Object.fromEntries(variables.map((one) => one.split(/=(.*)/s, 2) as [string, string]));
}

function notStarted(name: string, error: NodeJS.ErrnoException): NotStarted {
  if (error.code !== "ENOENT") return { code: 126, reason: fileReason(error) };
  return {
    code: 127,
    reason:
      name.includes("/") && existsSync(name) ? "its interpreter does not exist" : "there is no such command",
  };
}

/** How long output is still waited for after the end of the command, whose children may keep its pipe open. Milliseconds. */
const DRAIN = 100;

/** Output that comes later than this after the end of the command, and was not in the pipe then, is of its children. Milliseconds. */
const MAX_DRAIN = 1000;

/** Retry if somebody else has made a terminal or a pipe non-blocking, in milliseconds. */
const RETRY_AFTER = 20;

/**
 * Forwards what a command writes to a pipe, as it comes, and no faster than it is taken. The writes are made by another thread:
 * `process.stdout` would make the pipe non-blocking for all programs that share it.
 */
export class ForwardedOutput {
  readonly #reader: {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
  readonly #read: Promise<void>;
  #written = Promise.resolve();
  #bytes = 0;
  #hasEnded = false;
  #isLost = false;
  #release = () => {};

  /** @param from the pipe @param keep is called with each part */
  constructor(
    private readonly from: number,
    private readonly to: 1 | 2,
    private readonly keep: (chunk: Uint8Array) => void,
  ) {
    this.#reader = Bun.file(from).stream().getReader();
    this.#read = this.#forward();
  }

  /** All that the command wrote has been written. */
  get written(): Promise<void> {
    return this.#written;
  }

  /** Call it after the end of the command. Resolves when all that it wrote has been read. */
  async drain(): Promise<void> {
    this.#hasEnded = true;
    this.#release();
    const mustRead = this.#bytes + (this.#isLost ? 0 : bytesHeld(this.from));
    const endsAt = performance.now() + MAX_DRAIN;
    for (let seen = -1; this.#bytes < mustRead || (this.#bytes !== seen && performance.now() < endsAt); ) {
      seen = this.#bytes;
      if (await Promise.race([this.#read.then(() => true), Bun.sleep(DRAIN)])) return;
    }
    await this.#reader.cancel();
    await this.#read;
  }

  async #forward(): Promise<void> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done || !value) return;
      this.#bytes += value.length;
      this.keep(value);
      this.#written = this.#written.then(() => this.#write(value));
      await this.#room();
    }
  }

  /** Resolves when the part is written, or at the end of the command: what is left then is little. */
  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve;
      if (this.#hasEnded) resolve();
      else this.#written.then(resolve);
    });
  }

  async #write(chunk: Uint8Array): Promise<void> {
    let rest = chunk;
    while (rest.length > 0 && !this.#isLost) {
      try {
        rest = rest.subarray(await writePart(this.to, rest));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EAGAIN") await Bun.sleep(RETRY_AFTER);
        else await this.#lose(code);
      }
    }
  }

  /**
   * Nobody takes the output any more. If its reader has gone, the command learns it as it would without stillup: by SIGPIPE.
   * Otherwise, for example if a disk is full, the job goes on.
   */
  async #lose(code: string | undefined): Promise<void> {
    this.#isLost = true;
    if (code !== "EPIPE" || this.#hasEnded) return;
    await this.#reader.cancel();
    closeSync(this.from);
  }
}

function writePart(descriptor: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, 0, bytes.length, null, (error, written) =>
      error ? reject(error) : resolve(written),
    );
  });
}

/** The two ends of a pipe, as descriptors. */
interface Pipe {
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
function bytesHeld(descriptor: number): number {
  const libc = dlopen(LIBC, { ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" } });
  const held = new Int32Array(1);
  return libc.symbols.ioctl(descriptor, FIONREAD, ptr(held)) === 0 ? (held[0] ?? 0) : 0;
}

/**
 * Lets this process learn how its children end, although it was started by one that ignores SIGCHLD, and that the kernel would
 * otherwise let forget them: see wait(2).
 */
function rememberChildren(): void {
  const libc = dlopen(LIBC, { signal: { args: ["i32", "ptr"], returns: "ptr" } });
  const SIG_DFL = null;
  libc.symbols.signal(constants.signals.SIGCHLD, SIG_DFL);
}

import { chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { $ } from "bun";
import { eventually } from "../eventually.ts";
import type { Ended } from "../product/binary.ts";
import { tempDir } from "../temp-dir.ts";

/** The user of the image (scripts/package/Containerfile). */
const USER = 10_001;

/** For a start under an emulator, in milliseconds. */
const START_WITHIN = 180_000;

const PROGRAM = "/usr/local/bin/stillup";
const VOLUME = "/var/lib/stillup";

/**
 * @property files what the image has: paths of this machine, by their paths in the image
 * @property command how the image runs stillup
 */
export interface Image {
  files: Record<string, string>;
  command: string[];
}

/** The executable that was built last, with the libraries that it is linked to. */
export async function builtImage(): Promise<Image> {
  const executable = "dist/stillup";
  const linked = await $`ldd ${executable}`.text();
  const libraries = [...linked.matchAll(/\/lib\S*/g)].map(([path]) => path);
  const files = { [PROGRAM]: executable, ...Object.fromEntries(libraries.map((path) => [path, path])) };
  return { files, command: [PROGRAM] };
}

/** The mounts of an engine. $1: the root; $2: the volume; then the command. \`files\` has what to mount, and where. */
const ENTER = `
root=$1 volume=$2; shift 2
mount --bind "$root/image" "$root/image"
while read -r from to; do
  mount --bind "$from" "$root/image$to"
  [ "$to" = /dev/null ] || mount -o remount,bind,ro "$root/image$to"
done <"$root/files"
mount -t proc proc "$root/image/proc"
mount -o remount,bind,ro "$root/image"
mount --bind "$volume" "$root/image${VOLUME}"
ip link set lo up
exec setpriv --no-new-privs chroot --userspec=${USER}:${USER} "$root/image" "$@"`;

/** @property hasNetwork whether it shares the network of this machine, or has only a loopback device; default: yes */
interface Surroundings {
  env?: Record<string, string>;
  hasNetwork?: boolean;
}

/**
 * Runs stillup as an engine runs its image with `--read-only`: as the first process, as the user of the image, with only the files
 * of the image, and with only the volume to write to. There is no temporary directory and no shell. Needs root.
 */
export class Container implements AsyncDisposable {
  /** The directory of this machine that is the volume. */
  readonly volume: string;
  readonly #dir = tempDir();
  readonly #started = new Set<RunningContainer>();

  constructor(private readonly image: Image) {
    const mounts = { ...image.files, "/dev/null": "/dev/null" };
    for (const path of [...Object.keys(mounts), "/proc/none", `${VOLUME}/none`])
      mkdirSync(join(this.#dir.path, "image", dirname(path)), { recursive: true });
    for (const path of Object.keys(mounts)) writeFileSync(join(this.#dir.path, "image", path), "");
    const lines = Object.entries(mounts).map(([to, from]) => `${resolve(from)} ${to}\n`);
    writeFileSync(join(this.#dir.path, "files"), lines.join(""));
    this.volume = join(this.#dir.path, "volume");
    mkdirSync(this.volume);
    this.own();
  }

  /** Gives what a test has put into the volume to the user of the image. */
  own(): void {
    for (const path of [".", ...readdirSync(this.volume)]) chownSync(join(this.volume, path), USER, USER);
  }

  /** Starts a command. */
  start(args: string[], { env = {}, hasNetwork = true }: Surroundings = {}): RunningContainer {
    const spaces = ["--mount", "--propagation=private", "--pid", "--fork", ...(hasNetwork ? [] : ["--net"])];
    const child = Bun.spawn(
      [
        "unshare",
        ...spaces,
        "sh",
        "-ec",
        ENTER,
        "sh",
        this.#dir.path,
        this.volume,
        ...this.image.command,
        ...args,
      ],
      {
        // No TMPDIR, as in an image that somebody else builds.
        env: {
          STILLUP_HOST: "0.0.0.0",
          STILLUP_DATA_DIR: VOLUME,

          PATH: process.env.PATH,
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const running = new RunningContainer(child);
    this.#started.add(running);
    return running;
  }

  /** Starts a server, and waits until it listens. */
  async serve(surroundings: Surroundings = {}): Promise<RunningContainer & { url: string }> {
    const server = this.start(["serve", "--port", "0"], surroundings);
    const [, port] = await server.prints(/listening on http:\/\/0\.0\.0\.0:(\d+)/);
    return Object.assign(server, { url: `http://127.0.0.1:${port}` });
  }

  /** Runs a command to its end. */
  run(args: string[], surroundings?: Surroundings): Promise<Ended> {
    return this.start(args, surroundings).ended;
  }

  /** The owner key of the first start. */
  get key(): string {
    return readFileSync(join(this.volume, "initial-owner-key"), "utf8").trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#started].map((one) => one.kill()));
    this.#dir[Symbol.dispose]();
  }
}

export class RunningContainer {
  readonly ended: Promise<Ended>;
  #stdout = "";
  #stderr = "";

  constructor(private readonly child: Bun.Subprocess<"ignore", "pipe", "pipe">) {
    const read = async (stream: ReadableStream<Uint8Array>, add: (text: string) => void) => {
      const decoder = new TextDecoder();
      for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
    };
    this.ended = Promise.all([
      read(child.stdout, (text) => {
        this.#stdout += text;
      }),
      read(child.stderr, (text) => {
        this.#stderr += text;
      }),
      child.exited,
    ]).then(([, , code]) => ({ code, stdout: this.#stdout, stderr: this.#stderr }));
  }

  /** The number of its first process on this machine. */
  get pid(): number {
    return Number(readFileSync(`/proc/${this.child.pid}/task/${this.child.pid}/children`, "utf8").trim());
  }

  /** Its outputs so far, and its exit code once it has ended. */
  get printed(): string {
    return `${this.#stdout}${this.#stderr}${this.child.exitCode ?? ""}`;
  }

  /** Waits until its standard output or its log has a text. @throws if it ends before */
  async prints(text: RegExp): Promise<RegExpExecArray> {
    const found = () => text.exec(this.#stdout) ?? text.exec(this.#stderr);
    await eventually(async () => found() !== null || this.child.exitCode !== null, START_WITHIN);
    const match = found();
    if (match) return match;
    throw new Error(`it ended before: ${this.printed}`);
  }

  /** Waits until its first process handles SIGTERM: the kernel drops what a first process does not handle. */
  async waitsForSignals(): Promise<void> {
    await eventually(() => {
      const status = this.pid && readFileSync(`/proc/${this.pid}/status`, "utf8");
      const [, caught = "0"] = /^SigCgt:\s*(\w+)/m.exec(status || "") ?? [];
      return (BigInt(`0x${caught}`) & (1n << 14n)) !== 0n;
    });
  }

  /** Sends a signal to its first process, as an engine does. @returns the exit code */
  async end(signal: "SIGTERM" | "SIGINT"): Promise<number> {
    process.kill(this.pid, signal);
    return this.child.exited;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode === null && this.pid) process.kill(this.pid, "SIGKILL");
    await this.child.exited;
  }
}

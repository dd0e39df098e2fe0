import { existsSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "../requests/client.ts";
import { engineOfTests } from "../store/engines.ts";
import type { ServerData, TestStore } from "../store/test-store.ts";
import { type TempDir, tempDir } from "../temp-dir.ts";

const BUILT = "dist/stillup";

/** The environment without settings of stillup. */
const ENVIRONMENT = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  // To compile for a higher speed takes a third of the processor time of a server that soon ends. The long tests run it as users do.
  ...(process.env.LONG_TESTS !== "1" && { BUN_JSC_useDFGJIT: "0" }),
};

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * @property descriptors limit of file descriptors of the process
 * @property log file for its log; default: kept in memory
 * @property under program with arguments that runs the binary
 */
interface Surroundings {
  descriptors?: number;
  log?: string;
  under?: string[];
}

/** The compiled binary in an empty folder: as a link, because a copy takes as long as a start of the binary. */
export class Binary implements AsyncDisposable {
  readonly #dir: TempDir;
  /** Created with the first use. */
  #data: Promise<ServerData> | undefined;
  readonly #servers = new Set<RunningServer | RunningProbe>();

  /**
   * @param options.emulator program with arguments that runs the binary, if this machine can't
   * @param options.parent the parent of its folder
   */
  constructor(
    private readonly options: {
      built?: string;
      emulator?: string[];
      env?: Record<string, string>;
      parent?: string;
    } = {},
  ) {
    const { built = BUILT, parent } = options;
    this.#dir = tempDir(parent);
    if (!existsSync(built)) throw new Error(`${built} is missing: run \`bun run build\` first`);
    symlinkSync(resolve(built), join(this.folder, "stillup"));
  }

  get folder(): string {
    return this.#dir.path;
  }

  /** Its database, beside the server. */
  async attach(): Promise<TestStore> {
    return (await this.#database()).open();
  }

  #database(): Promise<ServerData> {
    this.#data ??= engineOfTests().createFor(this.folder);
    return this.#data;
  }

  /** Runs a command until it exits. */
  async run(
    args: string[],
    env: Record<string, string> = {},
    surroundings: Surroundings = {},
  ): Promise<Ended> {
    const child = await this.#spawn(args, env, surroundings);
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, stdout, stderr };
  }

  /** Starts `serve` on a free port and waits until it listens. */
  async serve(
    args: string[] = [],
    env: Record<string, string> = {},
    surroundings: Surroundings = {},
  ): Promise<RunningServer> {
    const start = performance.now();
    const child = await this.#spawn(["serve", "--port", "0", ...args], env, surroundings);
    const log = new Log(child.stderr);
    const url = await listeningUrl(child.stdout, log.end);
    const server = new RunningServer(child, url, this.folder, log, performance.now() - start);
    this.#servers.add(server);
    return server;
  }

  /** Starts `probe`. @param dataDir its directory inside the folder of the binary */
  async probe({
    server,
    key,
    dataDir,
  }: {
    server: string;
    key: string;
    dataDir: string;
  }): Promise<RunningProbe> {
    const keyFile = join(this.folder, `${dataDir}-key`);
    await Bun.write(keyFile, `${key}\n`);
    const args = ["probe", "--server", server, "--key-file", keyFile, "--data-dir", dataDir];
    const probe = new RunningProbe(await this.#spawn(args, {}));
    this.#servers.add(probe);
    return probe;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.kill()));
    (await this.#data)?.delete();
    this.#dir[Symbol.dispose]();
  }

  async #spawn(
    args: string[],
    env: Record<string, string>,
    { descriptors, log, under = [] }: Surroundings = {},
  ) {
    const database = await this.#database();
    const limited = descriptors === undefined ? [] : ["prlimit", `--nofile=${descriptors}`];
    const redirected = log === undefined ? [] : ["sh", "-c", 'exec "$@" 2>"$0"', log];
    const { emulator = [] } = this.options;
    const program = [...under, ...emulator, join(this.folder, "stillup")];
    return Bun.spawn([...redirected, ...limited, ...program, ...args], {
      cwd: this.folder,
      env: { ...ENVIRONMENT, ...database.env, ...this.options.env, ...env },
      stdout: "pipe",
      stderr: "pipe",
    });
  }
}

export class RunningProbe {
  readonly #printed: Log;
  readonly #logged: Log;

  constructor(private readonly child: Bun.Subprocess<"ignore", "pipe", "pipe">) {
    this.#printed = new Log(child.stdout);
    this.#logged = new Log(child.stderr);
  }

  /** Its standard output so far. */
  get printed(): string {
    return this.#printed.text;
  }

  /** Whether the log contains it. */
  hasLogged(text: string): boolean {
    return this.#logged.text.includes(text);
  }

  /** The whole log, after the process has exited. */
  get log(): Promise<string> {
    return this.#logged.end;
  }

  /** Sends a signal. @returns the exit code */
  async end(signal: "SIGTERM" | "SIGINT"): Promise<number> {
    this.child.kill(signal);
    return this.child.exited;
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.child.exited;
  }
}

export class RunningServer {
  constructor(
    private readonly child: Bun.Subprocess,
    readonly url: string,
    private readonly folder: string,
    private readonly lines: Log,
    /** Milliseconds from the start of the process. */
    readonly listeningAfter: number,
  ) {}

  /** The whole log, after the process has exited. */
  get log(): Promise<string> {
    return this.lines.end;
  }

  /** Whether the log contains anything. */
  hasLogged(text: string): boolean {
    return this.lines.text.includes(text);
  }

  get pid(): number {
    return this.child.pid;
  }

  /** The exit code. */
  get exited(): Promise<number> {
    return this.child.exited;
  }

  /** With the owner key of the first start. */
  async client(): Promise<Client> {
    const key = await Bun.file(join(this.folder, "data", "initial-owner-key")).text();
    return new Client(this.url, key.trim());
  }

  /** Sends a signal. @returns the exit code */
  async end(signal: "SIGTERM" | "SIGINT" | "SIGUSR1"): Promise<number> {
    this.child.kill(signal);
    return this.child.exited;
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.child.exited;
  }
}

/** The output of a process, as it arrives. */
class Log {
  text = "";
  readonly end: Promise<string>;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.end = this.#read(stream);
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<string> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.text += decoder.decode(chunk, { stream: true });
    return this.text;
  }
}

async function listeningUrl(stdout: ReadableStream<Uint8Array>, log: Promise<string>): Promise<string> {
  let printed = "";
  for await (const chunk of stdout) {
    printed += new TextDecoder().decode(chunk);
    const [, url] = /listening on (\S+)/.exec(printed) ?? [];
    if (url) return url;
  }
  throw new Error(`the server ended before it listened: ${printed}${await log}`);
}

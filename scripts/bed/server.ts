import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { freePort } from "../../test/support/free-port.ts";
import { Client } from "../../test/support/requests/client.ts";

const START_TIMEOUT = 40_000;

/**
 * How a server runs.
 *
 * @property folder for its data, its log and its clock
 * @property args of `serve`, beside its address, its data directory and the format of its log
 * @property command runs stillup; default: the compiled binary
 * @property through program with arguments that runs the command
 * @property env settings by their variables
 * @property hours difference of its clock from the clock of this machine; it needs `findFakeClock`
 */
export interface ServerSetup {
  folder: string;
  name?: string;
  args?: readonly string[];
  command?: readonly string[];
  through?: readonly string[];
  host?: string;
  env?: Record<string, string>;
  hours?: number;
}

/** The library that changes the clock of a process; undefined if it is not installed (Debian: faketime). */
export function findFakeClock(): string | undefined {
  return [...new Bun.Glob("/usr/lib/*/faketime/libfaketimeMT.so.1").scanSync()][0];
}

/** `stillup serve` on one port, which can be killed and started again. */
export class ServerProcess implements AsyncDisposable {
  readonly url: string;
  readonly name: string;
  readonly dataDir: string;
  /** How it ended when nobody ended it. */
  readonly unexpected: string[] = [];
  readonly #command: string[];
  #child: Bun.Subprocess | undefined;
  #isEnding = false;

  constructor(private readonly setup: ServerSetup) {
    const { folder, name = "stillup", host = "127.0.0.1", args = [], through = [] } = setup;
    const port = freePort();
    this.url = `http://${host}:${port}`;
    this.name = name;
    this.dataDir = join(folder, "data");
    const program = setup.command ?? [resolve("dist/stillup")];
    this.#command = [
      ...[...through, ...program, "serve", "--host", host, "--port", String(port)],
      ...["--data-dir", this.dataDir, "--log-format", "json", ...args],
    ];
    mkdirSync(folder, { recursive: true });
    if (setup.hours !== undefined) this.setClock(setup.hours);
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const { folder, env } = this.setup;
    const log = openSync(join(folder, "log"), "a");
    const vars = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", ...this.#clock(), ...env };
    const child = Bun.spawn(this.#command, {
      cwd: folder,
      env: vars,
      stdin: "ignore",
      stdout: log,
      stderr: log,
    });
    closeSync(log);
    this.#child = child;
    this.#isEnding = false;
    void child.exited.then((code) => {
      if (!this.#isEnding && this.#child === child)
        this.unexpected.push(`${this.name} ended by itself (${code ?? child.signalCode}): see ${folder}/log`);
    });
    await this.#listens(child);
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  /** @returns the exit code; null after SIGKILL */
  async end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    this.#isEnding = true;
    this.#child?.kill(signal);
    await this.#child?.exited;
    return this.#child?.exitCode ?? null;
  }

  /** @param hours between its clock and the clock of this machine */
  setClock(hours: number): void {
    writeFileSync(join(this.setup.folder, "clock"), `${hours < 0 ? "-" : "+"}${Math.abs(hours)}h`);
  }

  /** With the owner key of the first start. */
  async client(): Promise<Client> {
    const key = await Bun.file(join(this.dataDir, "initial-owner-key")).text();
    return new Client(this.url, key.trim());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal("SIGCONT");
    await this.end("SIGKILL");
  }

  #clock(): Record<string, string> {
    const library = this.setup.hours === undefined ? undefined : findFakeClock();
    if (!library) return {};
    return {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: join(this.setup.folder, "clock"),
      FAKETIME_NO_CACHE: "1",
      // The name before and after version 0.9.10.
      DONT_FAKE_MONOTONIC: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
  }

  async #listens(child: Bun.Subprocess): Promise<void> {
    const until = performance.now() + START_TIMEOUT;
    while (performance.now() < until && child.exitCode === null && child.signalCode === null) {
      const signal = AbortSignal.timeout(1000);
      if (await fetch(`${this.url}/healthz`, { signal }).catch(() => null)) return;
      await Bun.sleep(50);
    }
    throw new Error(`${this.name} does not listen: see ${this.setup.folder}/log`);
  }
}

/** @returns the data of the response @throws Error if the request was refused */
export async function post(
  client: Client,
  path: string,
  body: object,
): Promise<{ id: string; checkinUrl?: string }> {
  const { status, body: answer } = await client.post(path, body);
  if (status >= 300) throw new Error(`POST ${path} was answered ${status}: ${JSON.stringify(answer)}`);
  return answer.data;
}

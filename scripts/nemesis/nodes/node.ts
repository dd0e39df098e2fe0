import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../../test/support/free-port.ts";

const START_TIMEOUT = 40_000;

/** The requirements of a node. @property command runs stillup @property folder for its data, its log and its clock */
interface Setup {
  name: string;
  folder: string;
  command: readonly string[];
  databaseUrl: string;
  dnsServer: string;
  /** Hours between its clock and the clock of the database. */
  hours: number;
}

/** The library that changes the clock of a process; undefined if it is not installed (Debian: faketime). */
export function findFakeClock(): string | undefined {
  return [...new Bun.Glob("/usr/lib/*/faketime/libfaketimeMT.so.1").scanSync()][0];
}

/** One `stillup serve` on the common database. */
export class Node implements AsyncDisposable {
  readonly url: string;
  /** How it ended when nobody ended it. */
  readonly unexpected: string[] = [];
  readonly #port = freePort();
  #child: Bun.Subprocess | undefined;
  #isEnding = false;

  constructor(private readonly setup: Setup) {
    this.url = `http://127.0.0.1:${this.#port}`;
    mkdirSync(setup.folder, { recursive: true });
    this.setClock(setup.hours);
  }

  get name(): string {
    return this.setup.name;
  }

  get dataDir(): string {
    return join(this.setup.folder, "data");
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const { folder, command, databaseUrl, name, dnsServer } = this.setup;
    const args = [
      ...["serve", "--port", String(this.#port), "--data-dir", this.dataDir, "--database-url", databaseUrl],
      ...["--node-name", name, "--dns-servers", dnsServer, "--log-level", "info", "--log-format", "json"],
    ];
    const log = openSync(join(folder, "log"), "a");
    const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", ...this.#clockEnvironment() };
    const child = Bun.spawn([...command, ...args], { env, stdin: "ignore", stdout: log, stderr: log });
    closeSync(log);
    this.#child = child;
    this.#isEnding = false;
    void child.exited.then((code) => {
      if (!this.#isEnding && this.#child === child)
        this.unexpected.push(`${name} ended by itself (${code ?? child.signalCode}): see ${folder}/log`);
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

  /** @param hours between its clock and the clock of the database */
  setClock(hours: number): void {
    writeFileSync(join(this.setup.folder, "clock"), `${hours < 0 ? "-" : "+"}${Math.abs(hours)}h`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal("SIGCONT");
    await this.end("SIGKILL");
  }

  #clockEnvironment(): Record<string, string> {
    const library = findFakeClock();
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

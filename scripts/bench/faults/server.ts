import { closeSync, openSync } from "node:fs";
import { join, resolve } from "node:path";

/** How to run the server. */
export interface Surroundings {
  /** A program with arguments that runs the binary. */
  through?: string[];
  env?: Record<string, string>;
}

/** `stillup serve` on one port, which can be killed and started again. */
export interface Server {
  readonly url: string;
  readonly dataDir: string;
  pid(): number;
  start(): Promise<void>;
  /** Sends a signal to the server. */
  signal(name: NodeJS.Signals): void;
  /** Ends the server. @returns when it has exited */
  end(name: "SIGTERM" | "SIGKILL"): Promise<void>;
}

const START_TIMEOUT = 30_000;

/** @param folder for the data directory and the log */
export function createServer(
  folder: string,
  { host, port, dns }: { host: string; port: number; dns: string },
  { through = [], env = {} }: Surroundings,
): Server {
  const dataDir = join(folder, "data");
  const url = `http://${host}:${port}`;
  const command = [
    ...[...through, resolve("dist/stillup"), "serve", "--host", host, "--port", String(port)],
    ...["--data-dir", dataDir, "--dns-servers", dns, "--log-level", "warn", "--log-format", "json"],
  ];
  let child: Bun.Subprocess | undefined;

  async function listens(): Promise<void> {
    const until = performance.now() + START_TIMEOUT;
    while (performance.now() < until && child?.exitCode === null) {
      const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1000) }).catch(() => null);
      if (response) return;
      await Bun.sleep(50);
    }
    throw new Error(`stillup does not listen: see ${folder}/log`);
  }

  return {
    url,
    dataDir,
    pid: () => child?.pid ?? 0,
    async start() {
      const log = openSync(join(folder, "log"), "a");
      const vars = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", ...env };
      child = Bun.spawn(command, { cwd: folder, env: vars, stdin: "ignore", stdout: "ignore", stderr: log });
      closeSync(log);
      await listens();
    },
    signal: (name) => child?.kill(name),
    async end(name) {
      child?.kill(name);
      await child?.exited;
    },
  };
}

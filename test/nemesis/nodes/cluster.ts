import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import type { NetConnectOpts } from "node:net";
import { join } from "node:path";

const USER = "postgres";

const SETTINGS = `listen_addresses = ''
fsync = off
max_connections = 120
`;

/** A PostgreSQL server of its own, on a socket in a folder, that can be stopped and crash. PostgreSQL refuses to run as root. */
export class Cluster implements AsyncDisposable {
  private constructor(
    private readonly folder: string,
    private readonly programs: string,
  ) {}

  /** @param folder where it is created; it must be readable for other users */
  static async create(folder: string): Promise<Cluster> {
    const cluster = new Cluster(folder, findPrograms());
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    if (process.getuid?.() === 0) await run(["chown", USER, folder]);
    await cluster.#run("initdb", [
      "--pgdata",
      cluster.#data,
      "--username",
      USER,
      "--auth",
      "trust",
      "--no-sync",
    ]);
    const settings = `${SETTINGS}unix_socket_directories = '${folder}'\n`;
    writeFileSync(join(cluster.#data, "postgresql.auto.conf"), settings);
    await cluster.start();
    return cluster;
  }

  /** Where a proxy connects to. */
  get address(): NetConnectOpts {
    return { path: join(this.folder, ".s.PGSQL.5432") };
  }

  /** A database URL of the default database through a port of 127.0.0.1. */
  urlThrough(port: number): string {
    return `postgresql://${USER}@127.0.0.1:${port}/${USER}?sslmode=disable`;
  }

  /** Resolves when it accepts connections. */
  async start(): Promise<void> {
    await this.#control("start", "--wait", "--silent", "--log", join(this.folder, "log"));
  }

  /** @param mode `fast` ends all transactions and writes a checkpoint, `immediate` is like a crash */
  async stop(mode: "fast" | "immediate"): Promise<void> {
    await this.#control("stop", "--wait", "--silent", "--mode", mode);
  }

  /** Ends all other connections. */
  async terminateConnections(): Promise<void> {
    await this.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()");
  }

  /** @returns rows as text, with columns separated by `|` */
  async query(text: string): Promise<string[]> {
    const output = await this.#run("psql", ["-h", this.folder, "-U", USER, "-XAtqc", text]);
    return output.split("\n").filter((line) => line !== "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("immediate").catch(() => {});
  }

  get #data(): string {
    return join(this.folder, "data");
  }

  #control(...args: string[]): Promise<string> {
    return this.#run("pg_ctl", [...args, "--pgdata", this.#data]);
  }

  #run(program: string, args: string[]): Promise<string> {
    const drop = ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--clear-groups"];
    const own = [join(this.programs, program), ...args];
    return run(process.getuid?.() === 0 ? [...drop, ...own] : own, this.folder);
  }
}

/** The folder of the newest PostgreSQL. @throws Error if there is none */
function findPrograms(): string {
  const [newest] = [...new Bun.Glob("/usr/lib/postgresql/*/bin/initdb").scanSync()].sort().reverse();
  const initdb = newest ?? Bun.which("initdb");
  if (!initdb) throw new Error("PostgreSQL is not installed (Debian: sudo apt-get install postgresql)");
  return join(initdb, "..");
}

async function run(command: string[], cwd = "/"): Promise<string> {
  // A file, because the server inherits it: a pipe would stay open as long as the server runs.
  const output = Bun.file(`/tmp/.nemesis-${process.pid}-${Bun.randomUUIDv7()}`);
  const child = Bun.spawn(command, { cwd, stdin: "ignore", stdout: output, stderr: output });
  const code = await child.exited;
  const text = await output.text();
  await output.delete();
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${text.trim()}`);
  return text;
}

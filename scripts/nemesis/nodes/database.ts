import type { NetConnectOpts } from "node:net";
import { join } from "node:path";
import { type Cluster, createCluster, runSql } from "../../../test/support/store/postgres/cluster.ts";
import { findPrograms, findUnprivilegedUser, runAs } from "../../../test/support/store/postgres/programs.ts";

const DATABASE = "postgres";

/** On a busy machine, a restart takes some seconds; milliseconds. */
const PATIENCE = 30_000;

/** A PostgreSQL server that can be restarted and crash while others use it. */
export class Database implements Disposable {
  private constructor(private readonly cluster: Cluster) {}

  /** @throws Error if PostgreSQL is not installed */
  static async create(): Promise<Database> {
    return new Database(await createCluster({ track_commit_timestamp: "on" }));
  }

  /** Where a proxy connects to. */
  get address(): NetConnectOpts {
    return { path: join(this.cluster.dir, ".s.PGSQL.5432") };
  }

  /** How a node reaches it through a port of 127.0.0.1. */
  urlThrough(port: number): string {
    return `postgresql://${this.cluster.config(DATABASE).user}@127.0.0.1:${port}/${DATABASE}?sslmode=disable`;
  }

  /** Resolves when it accepts connections. */
  async start(): Promise<void> {
    await this.#control("start", "--wait", "--log", join(this.cluster.dir, "log"));
  }

  /** @param mode `fast` ends all transactions and writes a checkpoint, `immediate` is like a crash */
  async stop(mode: "fast" | "immediate"): Promise<void> {
    await this.#control("stop", "--wait", `--mode=${mode}`);
  }

  /** Ends all other connections, after a restart that takes longer than planned. */
  async terminateConnections(): Promise<void> {
    await this.#whenRunning(() =>
      this.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IS NOT NULL AND pid <> pg_backend_pid()",
      ),
    );
  }

  /**
   * The IDs of all deliveries in the order of their commits, which is the order of their results and never changes. The deliveries of
   * one transaction are in the order of their numbers.
   */
  async readDeliveryOrder(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT deliveries.id FROM deliveries JOIN check_results ON check_results.pk = result_pk
      ORDER BY pg_xact_commit_timestamp(check_results.xmin), deliveries.pk`,
    );
    return rows.map(({ id }) => id);
  }

  query<Row extends object>(text: string): Promise<Row[]> {
    return runSql(this.cluster.config(DATABASE), text);
  }

  [Symbol.dispose](): void {
    this.cluster.end();
  }

  /** Repeats a statement until the server accepts it. */
  async #whenRunning<Result>(run: () => Promise<Result>): Promise<Result> {
    for (const until = performance.now() + PATIENCE; ; await Bun.sleep(100)) {
      try {
        return await run();
      } catch (error) {
        if (performance.now() > until) throw error;
      }
    }
  }

  /** In another process, so that the proxies of this one go on. */
  async #control(...args: string[]): Promise<void> {
    const { dir } = this.cluster;
    const program = join(findPrograms() ?? "", "pg_ctl");
    const command = [...runAs(findUnprivilegedUser()), program, "--silent", "-D", join(dir, "data"), ...args];
    // No pipe: the server would inherit it and keep it open.
    const child = Bun.spawn(command, { cwd: dir, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
    const code = await child.exited;
    if (code !== 0) throw new Error(`pg_ctl ${args.join(" ")} ended with ${code}: see ${dir}/log`);
  }
}

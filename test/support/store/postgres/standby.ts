import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { memoryDir } from "../../temp-dir.ts";
import { type Cluster, runSql } from "./cluster.ts";
import { findPrograms, findUnprivilegedUser, guardDirectory, run, runAs } from "./programs.ts";

/** A hot standby that streams from a cluster, and answers only reads until it is promoted. */
export interface Standby extends Pick<Cluster, "config" | "url" | "end"> {
  /** How many sessions have begun since its start. */
  countSessions(): Promise<number>;
  /** Makes it a primary server. */
  promote(): Promise<void>;
  /** Restarts it as a standby, of nobody. */
  demote(): Promise<void>;
}

export async function createStandby(primary: Cluster): Promise<Standby> {
  const user = findUnprivilegedUser();
  const dir = mkdtempSync(join(memoryDir(), "stillup-standby-"));
  guardDirectory(dir);
  chmodSync(dir, 0o755);
  if (user) run(["chown", user, dir]);
  const data = join(dir, "data");
  const call = (program: string, ...args: string[]) =>
    run([...runAs(user), join(findPrograms() ?? "", program), ...args], dir);
  call(
    "pg_basebackup",
    "-h",
    primary.dir,
    "-U",
    "postgres",
    "-D",
    data,
    "--write-recovery-conf",
    "--no-sync",
    "--checkpoint=fast",
  );
  writeFileSync(join(data, "postgresql.auto.conf"), `unix_socket_directories = '${dir}'\n`, { flag: "a" });
  const control = (action: string, ...args: string[]) =>
    call("pg_ctl", action, "-D", data, "--wait", "--silent", "--log", join(dir, "log"), ...args);
  control("start");
  const config = (database: string) => ({ host: dir, user: "postgres", database });
  return {
    config,
    url: (database) => `postgresql://postgres@localhost/${database}?host=${encodeURIComponent(dir)}`,
    async countSessions() {
      const [row] = await runSql<{ count: number }>(
        config("postgres"),
        "SELECT sum(sessions)::integer AS count FROM pg_stat_database WHERE datname NOT IN ('postgres', 'template1')",
      );
      return row?.count ?? 0;
    },
    promote: async () => control("promote"),
    async demote() {
      control("stop", "--mode=immediate");
      writeFileSync(join(data, "standby.signal"), "", { mode: 0o600 });
      if (user) run(["chown", user, join(data, "standby.signal")]);
      control("start");
    },
    end() {
      if (existsSync(join(data, "postmaster.pid"))) control("stop", "--mode=immediate");
      rmSync(dir, { recursive: true });
    },
  };
}

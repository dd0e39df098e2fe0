import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where Debian puts the programs of each version. */
const VERSIONS = "/usr/lib/postgresql";

/**
 * The folder of the programs of PostgreSQL, of the newest version that is installed; undefined if there is none, or if
 * `TEST_ENGINE` leaves them out.
 */
export function findPrograms(): string | undefined {
  if (process.env.TEST_ENGINE === "sqlite") return undefined;
  const onPath = Bun.which("initdb");
  // A folder with a link to this program may lack the others.
  if (onPath) return dirname(realpathSync(onPath));
  if (!existsSync(VERSIONS)) return undefined;
  const versions = [...new Bun.Glob("*/bin/initdb").scanSync(VERSIONS)];
  versions.sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a));
  return versions[0] && join(VERSIONS, versions[0], "..");
}

/** The user that runs servers which refuse root; undefined if this process is not root. */
export function findUnprivilegedUser(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return Bun.spawnSync(["id", "postgres"]).success ? "postgres" : "nobody";
}

/** The beginning of a command that runs a program as a user. */
export function runAs(user: string | undefined): string[] {
  if (user === undefined) return [];
  const group = Bun.spawnSync(["id", "-g", user]).stdout.toString().trim();
  return ["setpriv", `--reuid=${user}`, `--regid=${group}`, "--clear-groups"];
}

/** Runs a program to its end. @throws Error with what it printed */
export function run(command: string[], cwd = "/"): void {
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd, stdout: "pipe", stderr: "pipe" });
  if (!success) throw new Error(`${command.join(" ")}: ${stdout}${stderr}`);
}

/**
 * Ends the servers in a directory, and deletes it, after a process has ended. It has a session of its own, so that no
 * signal for a terminal or a group ends it first. $1: the process; $2: the directory.
 */
const GUARD = `
while kill -0 "$1" && [ -d "$2" ]; do sleep 0.5; done
for file in "$2"/*/*.pid; do
  pid=$(head -n 1 "$file") && kill -QUIT "$pid"
done
rm -rf "$2"; sleep 1; rm -rf "$2"
`;

/** Deletes a directory of servers after this process has ended, however it ends. */
export function guardDirectory(dir: string): void {
  // Not a child of this process, because `bun test` kills the children of a test that takes too long.
  const detached = `(${GUARD}) >/dev/null 2>&1 </dev/null &`;
  run(["setsid", "--fork", "sh", "-c", detached, "guard", `${process.pid}`, dir]);
}

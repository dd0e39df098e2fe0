import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";

/**
 * Finds a program of Debian, or unpacks its package into `.tools`: an installation would start it as a service.
 *
 * @param name of the package and of its program @returns the path of the program; undefined if there is none
 */
export async function unpack(name: string): Promise<string | undefined> {
  const folder = resolve(".tools", name);
  const program = join(folder, "usr/bin", name);
  const found = Bun.which(name) ?? Bun.which(program);
  if (found) return found;
  await mkdir(folder, { recursive: true });
  const isDone =
    (await runs(folder, "apt-get", "download", "-qq", name)) &&
    (await runs(folder, "sh", "-c", "dpkg-deb --extract *.deb . && rm *.deb"));
  if (!isDone) await rm(folder, { recursive: true, force: true });
  return Bun.which(program) ?? undefined;
}

async function runs(cwd: string, ...command: string[]): Promise<boolean> {
  if (!Bun.which(command[0] ?? "")) return false;
  return (await Bun.spawn(command, { cwd, stdout: "ignore", stderr: "ignore" }).exited) === 0;
}

import { chmodSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { Background } from "../../documentation/shell.ts";
import { eventually } from "../../eventually.ts";
import { findUnprivilegedUser, run, runAs } from "../../store/postgres/programs.ts";
import { type TempDir, tempDir } from "../../temp-dir.ts";
import type { ServerCertificate } from "../certificates.ts";

/** A real server in a folder of its own, which ends with the `await using` block. */
export interface Daemon extends AsyncDisposable {
  ports: number[];
}

/** @property user that runs it; undefined: the user of the tests @property ports on which it listens once it has started */
interface Start {
  command: string;
  folder: TempDir;
  ports: number[];
  user?: string | undefined;
}

export const unprivileged = findUnprivilegedUser();

/** A folder whose owner is the user of the server, with files. @param user undefined: the user of the tests */
export function folderOf(user: string | undefined, files: Record<string, string> = {}): TempDir {
  const folder = tempDir();
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder.path, name), text, { mode: 0o600 });
  chmodSync(folder.path, 0o755);
  if (user !== undefined) run(["chown", "-R", user, folder.path]);
  return folder;
}

export const certificateFiles = ({ cert, key }: ServerCertificate) => ({ "cert.pem": cert, "key.pem": key });

/** Starts a server in the foreground, and waits until it listens. */
export async function startDaemon({ command, folder, ports, user }: Start): Promise<Daemon> {
  const env = { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder.path };
  const background = new Background(`exec ${command}`, { cwd: folder.path, env, under: runAs(user) });
  const end = async () => {
    await background[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  };
  try {
    for (const port of ports) await eventually(() => isListening(port));
  } catch {
    await end();
    throw new Error(`${command} did not listen on ${ports}: ${background.printed}`);
  }
  return { ports, [Symbol.asyncDispose]: end };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => resolve(false));
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

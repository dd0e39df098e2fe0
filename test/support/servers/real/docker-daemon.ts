import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Background } from "../../documentation/shell.ts";
import { eventually } from "../../eventually.ts";
import { run } from "../../store/postgres/programs.ts";
import { tempDir } from "../../temp-dir.ts";

/** A real Docker engine with no containers, and with an image without files. Its containers can't be started. */
export interface DockerDaemon extends AsyncDisposable {
  socket: string;
  create(name: string, labels: Record<string, string>): Promise<void>;
  remove(name: string): Promise<void>;
}

const FLAGS = "--storage-driver vfs --bridge none --iptables=false --ip6tables=false --log-level warn";

/** @throws if it does not start, for example because it may not mount file systems */
export async function startDockerDaemon(): Promise<DockerDaemon> {
  const folder = tempDir();
  const socket = join(folder.path, "engine.sock");
  const places = `-H unix://${socket} --data-root ${folder.path}/data --exec-root ${folder.path}/exec --pidfile ${folder.path}/pid`;
  const env = { PATH: process.env.PATH ?? "", LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH ?? "" };
  const background = new Background(`exec dockerd ${places} ${FLAGS}`, { cwd: folder.path, env });

  async function request(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    const headers = { "content-type": typeof body === "string" ? "application/json" : "application/x-tar" };
    const init = { method, unix: socket, keepalive: false, headers, ...(body !== undefined && { body }) };
    const response = await fetch(`http://localhost${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  }

  async function stop(): Promise<void> {
    await background[Symbol.asyncDispose]();
    for (const path of mountsBelow(folder.path)) run(["umount", "-l", path]);
    folder[Symbol.dispose]();
  }

  try {
    const isReady = () =>
      request("GET", "/_ping").then(
        () => true,
        () => false,
      );
    await eventually(isReady, 30_000);
    // An archive ends with two empty blocks.
    await request("POST", "/images/create?fromSrc=-&repo=empty&tag=test", new Uint8Array(1024));
  } catch (error) {
    await stop();
    throw new Error(`dockerd did not start: ${background.printed}`, { cause: error });
  }
  return {
    socket,
    create: (name, labels) => {
      const body = {
        Image: "empty:test",
        Cmd: ["/none"],
        Labels: labels,
        HostConfig: { NetworkMode: "none" },
      };
      return request("POST", `/containers/create?name=${name}`, JSON.stringify(body));
    },
    remove: (name) => request("DELETE", `/containers/${name}`),
    [Symbol.asyncDispose]: stop,
  };
}

/** The network namespaces that an engine leaves. */
function mountsBelow(folder: string): string[] {
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
  return mounts.map((line) => line.split(" ")[1] ?? "").filter((path) => path.startsWith(`${folder}/`));
}

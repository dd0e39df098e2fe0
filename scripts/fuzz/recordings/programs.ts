import { connect } from "node:net";
import { freePort } from "../../../test/support/free-port.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";

/** A server that runs while it is recorded. */
export class Program implements AsyncDisposable {
  readonly folder = tempDir();
  port = 0;
  private process: Bun.Subprocess | undefined;

  /** Starts a program that listens on a free port. @param command and files by name, from the port and the folder */
  static async start(
    make: (port: number, folder: string) => { command: string[]; files?: Record<string, string> },
  ): Promise<Program> {
    const program = new Program();
    program.port = await freePort();
    const { command, files = {} } = make(program.port, program.folder.path);
    for (const [name, text] of Object.entries(files)) await Bun.write(`${program.folder.path}/${name}`, text);
    program.process = Bun.spawn(command, { cwd: program.folder.path, stdio: ["ignore", "ignore", "ignore"] });
    for (let tries = 0; tries < 100 && !(await isOpen(program.port)); tries++) await Bun.sleep(100);
    return program;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process?.kill();
    await this.process?.exited;
    this.folder[Symbol.dispose]();
  }
}

/** Waits until its own connection is closed, because some servers have one at a time. */
function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.end().resume());
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(true));
  });
}

/** All bytes of a connection to this machine, one character for each. @param until ends it before the server does */
export function bytesOf(
  port: number,
  sent: string | Buffer,
  until?: (received: Buffer) => boolean,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = Buffer.alloc(0);
  const socket = connect(port, "127.0.0.1", () => socket.write(sent));
  const end = () => {
    socket.destroy();
    resolve(received.toString("latin1"));
  };
  socket.on("data", (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    if (until?.(received)) end();
  });
  socket.on("error", end);
  socket.on("close", end);
  return promise;
}

import { connect, type Socket } from "node:net";

export interface DeafServer extends Disposable {
  port: number;
  /** How many connections it opened to itself to fill its queue; it accepts them later. */
  queued: number;
  /** Starts to accept connections. */
  accept(): void;
}

export interface DeafWorkerSetup {
  flag: Int32Array;
  hosts: string[];
  /** 0 for any free port. */
  port: number;
}

/**
 * A server whose queue of connections is full, so that no attempt to connect is answered. After `accept`, it answers HTTP
 * with the status code 200 plus the last number of its own address.
 *
 * @param hosts all its addresses
 */
export async function startDeafServer({ hosts = ["127.0.0.1"], port = 0 } = {}): Promise<DeafServer> {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL("deaf-worker.ts", import.meta.url));
  const listening = Promise.withResolvers<number>();
  thread.onmessage = ({ data }: MessageEvent<number>) => listening.resolve(data);
  thread.postMessage({ flag, hosts, port } satisfies DeafWorkerSetup);
  const at = await listening.promise;
  const queue: Socket[] = [];
  await Promise.all(
    hosts.map(async (host) => {
      while (await isAnswered(host, at, queue));
    }),
  );
  const accept = () => {
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  return {
    port: at,
    queued: queue.length,
    accept,
    [Symbol.dispose]() {
      accept();
      for (const socket of queue) socket.destroy();
      thread.terminate();
    },
  };
}

async function isAnswered(host: string, port: number, queue: Socket[]): Promise<boolean> {
  const socket = connect({ host, port });
  socket.on("error", () => {});
  queue.push(socket);
  const answered = new Promise<boolean>((resolve) => socket.once("connect", () => resolve(true)));
  return Promise.race([answered, unanswered()]);
}

/**
 * The kernel answers within the call that connects, so that only this thread can be late: after a stall, the timer may be served
 * before the answer. So it lets the event loop look at the sockets once more.
 */
async function unanswered(): Promise<boolean> {
  await Bun.sleep(200);
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  return false;
}

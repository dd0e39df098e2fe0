import { connect, type Socket } from "node:net";

export interface DeafServer extends Disposable {
  port: number;
  /** How many connections it will accept, of its own making. */
  queued: number;
  /** Lets it accept connections. */
  hear(): void;
}

/** A server whose queue of connections is full, so that no attempt to connect is answered. */
export async function startDeafServer(): Promise<DeafServer> {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL("deaf-worker.ts", import.meta.url));
  const listening = Promise.withResolvers<number>();
  thread.onmessage = ({ data }: MessageEvent<number>) => listening.resolve(data);
  thread.postMessage(flag);
  const port = await listening.promise;
  const queue: Socket[] = [];
  while (await isAnswered(port, queue));
  const hear = () => {
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  return {
    port,
    queued: queue.length,
    hear,
    [Symbol.dispose]() {
      hear();
      for (const socket of queue) socket.destroy();
      thread.terminate();
    },
  };
}

async function isAnswered(port: number, queue: Socket[]): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port });
  socket.on("error", () => {});
  queue.push(socket);
  const answered = new Promise<boolean>((resolve) => socket.once("connect", () => resolve(true)));
  return Promise.race([answered, Bun.sleep(200).then(() => false)]);
}

import type { Socket } from "bun";

interface State {
  at: number;
  sentAt: number;
  done: () => void;
}

/** @property pathOf the path of a request, by its number @property duration seconds */
interface Load {
  key: string;
  pathOf: (at: number) => string;
  connections: number;
  duration: number;
}

/** The number of answers of 200, and each hundredth of their times in milliseconds. */
export interface LoadResult {
  answered: number;
  latencies: number[];
}

/** Sends requests over some connections, each with one request at a time. @throws Error for another answer than 200 */
export async function load(url: string, { key, pathOf, connections, duration }: Load): Promise<LoadResult> {
  const { hostname, port } = new URL(url);
  const end = performance.now() + duration * 1000;
  const latencies: number[] = [];
  let answered = 0;
  const ask = (socket: Socket<State>) => {
    if (performance.now() >= end) {
      socket.data.done();
      socket.end();
      return;
    }
    socket.data.sentAt = performance.now();
    socket.data.at += connections;
    socket.write(
      `GET ${pathOf(socket.data.at)} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
  };
  const one = async (at: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const data = { at, sentAt: 0, done: resolve };
    await Bun.connect<State>({
      hostname,
      port: Number(port),
      data,
      socket: {
        open: ask,
        data: (socket, answer) => {
          if (answer.toString("latin1", 0, 12) !== "HTTP/1.1 200") throw new Error(answer.toString());
          answered++;
          if (answered % 100 === 0) latencies.push(performance.now() - socket.data.sentAt);
          ask(socket);
        },
      },
    });
    await promise;
  };
  await Promise.all(Array.from({ length: connections }, (_, at) => one(at)));
  return { answered, latencies };
}

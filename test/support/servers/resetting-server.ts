export interface ResettingServer extends Disposable {
  port: number;
}

/** A server on 127.0.0.1 that resets connections in a thread of its own, so that the reset may arrive before they are reported as open. */
export async function startResettingServer(): Promise<ResettingServer> {
  const thread = new Worker(new URL("resetting-worker.ts", import.meta.url));
  const { promise, resolve } = Promise.withResolvers<number>();
  thread.onmessage = ({ data }: MessageEvent<number>) => resolve(data);
  return { port: await promise, [Symbol.dispose]: () => thread.terminate() };
}

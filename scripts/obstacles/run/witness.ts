import type { Said } from "../judge/run.ts";

/** The receiver of the notifications of all monitors. It knows what was said of each, and when. */
export interface Witness extends AsyncDisposable {
  url: string;
  /** @param monitor its name */
  hear(monitor: string, said: Said): void;
  /** In the order of arrival. */
  saidOf(monitor: string): Said[];
  /** Waits until a status was said after a time. @returns whether it was @param ms for how long */
  hears(monitor: string, what: { status: string; after: number; ms: number }): Promise<boolean>;
}

/** The body of a notification. */
export interface Notification {
  type: string;
  data: {
    monitor: { name: string };
    status: string;
    result: { createdAt: string; detail: { reason?: string } | null };
  };
}

export function startWitness(): Witness {
  const said = new Map<string, Said[]>();
  const waiting = new Set<() => void>();
  const hear = (monitor: string, one: Said) => {
    said.set(monitor, [...(said.get(monitor) ?? []), one]);
    for (const look of waiting) look();
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const at = Date.now();
      const id = request.headers.get("webhook-id") ?? "";
      const [monitor, one] = saidIn((await request.json()) as Notification, { id, at });
      hear(monitor, one);
      return new Response("thanks");
    },
  });
  const saidOf = (monitor: string) => said.get(monitor) ?? [];
  return {
    url: server.url.href,
    hear,
    saidOf,
    hears(monitor, { status, after, ms }) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const end = (isHeard: boolean) => {
        clearTimeout(timer);
        waiting.delete(look);
        resolve(isHeard);
      };
      const timer = setTimeout(() => end(false), ms);
      const look = () => {
        if (saidOf(monitor).some((one) => one.status === status && one.at >= after)) end(true);
      };
      waiting.add(look);
      look();
      return promise;
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
}

/** @returns the name of the monitor and what is said of it */
export function saidIn({ data }: Notification, { id, at }: { id: string; at: number }): [string, Said] {
  const { monitor, status, result } = data;
  const checkedAt = Date.parse(result.createdAt);
  return [monitor.name, { status, reason: result.detail?.reason, at, checkedAt, id }];
}

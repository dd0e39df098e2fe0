import { afterAll, expect, test } from "bun:test";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { type Replayed, replayQuery } from "../../../src/dashboard/web/hindsight/replay-line.tsx";

const asked: number[] = [];
const open = new Map<number, () => void>();

/** Answers a replay when the test lets it. */
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    if (request.method === "GET") return new Response();
    const { confirmations } = (await request.json()).changes;
    asked.push(confirmations);
    await new Promise<void>((resolve) => open.set(confirmations, resolve));
    return Response.json({ data: { monitorCount: confirmations } });
  },
});
const { fetch } = globalThis;
// The page asks the server that it comes from.
globalThis.fetch = Object.assign(
  (path: string | URL | Request, init?: RequestInit) => fetch(new URL(String(path), server.url), init),
  fetch,
);

afterAll(() => {
  globalThis.fetch = fetch;
  return server.stop(true);
});

test("behavior 25.52: a replay waits for the one before, and the newest wish replaces one that waits", async () => {
  const wish = (confirmations: number) =>
    replayQuery({ selector: { all: true }, days: 30, changes: { confirmations } });
  const observer = new QueryObserver(new QueryClient(), wish(1));
  const found = new Promise<Replayed>((resolve) => {
    observer.subscribe(({ data }) => data && resolve(data));
  });
  const isAsked = async (confirmations: number) => {
    while (!open.has(confirmations)) await new Promise((resolve) => setImmediate(resolve));
  };
  await isAsked(1);
  for (const confirmations of [2, 3, 4]) observer.setOptions(wish(confirmations));
  // A request that did not wait would arrive before some of these.
  for (let count = 0; count < 10; count++) await fetch(server.url);
  expect(asked).toEqual([1]);
  open.get(1)?.();
  await isAsked(4);
  open.get(4)?.();
  expect((await found).replay.monitorCount).toBe(4);
  expect(asked).toEqual([1, 4]);
});

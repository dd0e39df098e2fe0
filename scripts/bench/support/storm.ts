import { join } from "node:path";
import { quantile } from "./figures.ts";

/** @property rate requests a second; without it as many as possible */
export interface Storm {
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  rate?: number;
}

/** @property rate answers a second @property p50 milliseconds @property p99 milliseconds */
export interface StormResult {
  rate: number;
  p50: number;
  p99: number;
}

const wrk = Bun.which("wrk");

/** The program that sends as many requests as possible. */
export const sender = wrk ? "wrk, 1 thread" : "a client of our own, 1 thread";

/**
 * Sends the requests from another process: with `wrk`, if it is installed and there is no rate, which it can't keep.
 *
 * @throws Error for an answer of another status than 200 and 304
 */
export function sendStorm(storm: Storm): Promise<StormResult> {
  return wrk && storm.rate === undefined ? sendWithWrk(wrk, storm) : sendWithOwnClient(storm);
}

async function sendWithWrk(program: string, { url, headers, connections, seconds }: Storm) {
  const lines = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const load = ["-t1", `-c${connections}`, `-d${seconds}s`, "--latency", ...lines];
  const child = Bun.spawn([program, ...load, url], { stdout: "pipe" });
  const output = await new Response(child.stdout).text();
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(output);
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    p50: milliseconds(/^ +50%\s+(\S+)/m.exec(output)?.[1]),
    p99: milliseconds(/^ +99%\s+(\S+)/m.exec(output)?.[1]),
  };
}

/** Milliseconds of a time such as `640.00us`. */
function milliseconds(text = ""): number {
  const [, value, unit = ""] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
}

async function sendWithOwnClient(storm: Storm): Promise<StormResult> {
  const program = [process.execPath, join(import.meta.dir, "storm-client.ts"), JSON.stringify(storm)];
  const child = Bun.spawn(program, { stdout: "pipe" });
  const { answered, times } = JSON.parse(await new Response(child.stdout).text());
  return { rate: answered / storm.seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

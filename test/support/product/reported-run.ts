import { closeSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createPipe } from "../../../src/cli/run/command.ts";

/** The compiled binary: it starts in a third of the time that the sources take. */
export const PROGRAM = join(import.meta.dir, "../../../dist/stillup");

/** A request that a server of jobs got. @property action the last part of its path */
export interface Report {
  action: string;
  rid: string | null;
  url: URL;
  body: string;
}

/** A server that answers each report of a job with `answer`. @property reports the reports so far */
export function startJobServer(answer: (report: Report) => Response | Promise<Response>) {
  const reports: Report[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url);
      const [action = ""] = url.pathname.split("/").slice(-1);
      const report = { action, rid: url.searchParams.get("rid"), url, body: await request.text() };
      reports.push(report);
      return answer(report);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/ping/5ecret-5ecret`,
    reports,
    actions: () => reports.map(({ action }) => action),
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** @property under programs with arguments that start it */
interface Surroundings {
  url: string;
  options?: string[];
  under?: string[];
  stdin?: Uint8Array;
  env?: Record<string, string>;
}

/** Starts `stillup run` from the compiled binary. */
export function startRun(command: string[], { url, options = [], under = [], stdin, env }: Surroundings) {
  const args = ["run", "--url", url, ...options, "--", ...command];
  return Bun.spawn([...under, PROGRAM, ...args], {
    stdin: stdin ?? "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env.PATH ?? "", ...env },
  });
}

/** Runs `stillup run` to its end. */
export async function runToEnd(command: string[], surroundings: Surroundings) {
  const child = startRun(command, surroundings);
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout: Buffer.from(stdout), stderr, code };
}

/** Runs `stillup run` with a pipe as its standard output that nobody reads yet. */
export function startUnreadRun(command: string[], url: string) {
  const { read, write } = createPipe();
  const child = Bun.spawn([PROGRAM, "run", "--url", url, "--", ...command], {
    ...{ stdin: "ignore", stdout: write, stderr: "ignore" },
  });
  closeSync(write);
  return { child, output: () => Bun.file(read).bytes() };
}

/** All that a stream has had so far. */
export class Screen {
  text = "";
  readonly end: Promise<string>;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.end = this.#read(stream);
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<string> {
    for await (const chunk of stream) this.text += new TextDecoder().decode(chunk);
    return this.text;
  }
}

/** A process that has ended, and that nobody has asked about, is a zombie. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** A script for `sh`. */
export const sh = (script: string, ...args: string[]) => ["sh", "-c", script, "sh", ...args];

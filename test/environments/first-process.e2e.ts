import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { builtImage, Container } from "../support/environments/container.ts";
import { freePort } from "../support/free-port.ts";
import { isMissing } from "../support/requirements.ts";

const lacksNamespaces = isMissing(["unshare", "setpriv", "ip"], { root: true });

/** The states of the processes that a process has started. A zombie is a Z. */
function childrenOf(pid: number): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ");
      } catch {
        return [];
      }
    })
    .filter(([, parent]) => Number(parent) === pid)
    .map(([state = ""]) => state);
}

test.skipIf(lacksNamespaces).each(["SIGTERM", "SIGINT"] as const)(
  "behavior 9.18: a server that is the first process of a container ends at %s, and leaves no zombies",
  async (signal) => {
    await using container = new Container(await builtImage());
    const server = await container.serve();
    expect(await container.run(["check"])).toMatchObject({ code: 0 });
    expect(childrenOf(server.pid)).toEqual([]);
    expect(await server.end(signal)).toBe(0);
  },
);

test.skipIf(lacksNamespaces)(
  "behavior 9.18: a server that is the first process of a container ends at SIGTERM while it waits for its database",
  async () => {
    await using container = new Container(await builtImage());
    const server = container.start(["serve", "--port", "0"], {
      env: { STILLUP_DATABASE_URL: `postgresql://nobody@127.0.0.1:${freePort()}/none` },
    });
    await server.waitsForSignals();
    expect(await server.end("SIGTERM")).toBe(0);
  },
);

test.skipIf(lacksNamespaces)(
  "behavior 18.44: a command that stillup run starts as the first process of a container gets SIGTERM",
  async () => {
    await using container = new Container(await builtImage());
    const url = `http://127.0.0.1:${freePort()}/none`;
    // The image has no other program to run.
    const serve = ["--", "/usr/local/bin/stillup", "serve", "--port", "0"];
    const job = container.start(["run", "--url", url, ...serve]);
    await job.prints(/listening on/);
    expect(await job.end("SIGTERM")).toBe(0);
  },
);

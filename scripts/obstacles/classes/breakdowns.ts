import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { findFakeClock, type ServerProcess } from "../../bed/server.ts";
import { mayPrefer } from "../run/priority.ts";
import type { Scenario } from "../scenario.ts";
import { all } from "../world/changes.ts";
import { must, openNamespace } from "../world/machine.ts";
import type { Spot } from "../world/spot.ts";
import { type Breakdown, ignoresQueries, meanwhile, sleeps } from "./meanwhile.ts";

const SECOND = 1000;
/** A nice value. */
const BEFORE_OTHERS = "-20";
const DISK = "24m";
/** Nothing listens there. */
const CLOSED_PORT = 1;
/** SQLite first writes to the part of its log that it has already. */
const LOG_LASTS = 60 * SECOND;

/** While stillup is broken, targets go down and up: all of that is said when it works again, and nothing else. */
export const breakdowns: Scenario[] = [
  meanwhile("short-stops", "the process is stopped ten times for 0.4 s", {
    async rounds(spot) {
      for (let nth = 0; nth < 5; nth++) {
        serverOf(spot).signal("SIGSTOP");
        await Bun.sleep(400);
        serverOf(spot).signal("SIGCONT");
        await Bun.sleep(600);
      }
    },
  }),
  meanwhile("stop-5", "the process is stopped for 5 s", stop(5)),
  meanwhile("stop-40", "the process is stopped for 40 s", stop(40)),
  meanwhile("kill", "the process is killed, and started a second later", {
    begin: (spot) => serverOf(spot).end("SIGKILL"),
    half: 0.5,
    end: (spot) => serverOf(spot).start(),
  }),
  meanwhile("restarts", "the process is restarted eight times, every 5 s", {
    async rounds(spot) {
      for (let nth = 0; nth < 4; nth++) {
        const next = Bun.sleep(5 * SECOND);
        await serverOf(spot).end("SIGTERM");
        await serverOf(spot).start();
        await next;
      }
    },
  }),
  meanwhile("descriptors", "the process can open no file and no socket for 12 s", limitsDescriptors()),
  meanwhile("cores", "two busy processes per core have precedence for 15 s", {
    load: "disturbing",
    half: 7.5,
    async begin(spot) {
      if (!mayPrefer()) throw new Error("the stand-ins can't have real-time priority");
      await must("nice", "-n", BEFORE_OTHERS, "true");
      const busy = ["nice", "-n", BEFORE_OTHERS, "sh", "-c", "while :; do :; done"];
      for (let nth = 0; nth < 2 * cpus().length; nth++) disturb(spot, Bun.spawn(busy));
    },
    end: calm,
  }),
  meanwhile("lock", "another process locks the database for 12 s", {
    async begin(spot) {
      const file = join(serverOf(spot).dataDir, "stillup.db");
      const script = `const db = new (require("bun:sqlite").Database)(${JSON.stringify(file)});
        db.run("PRAGMA busy_timeout = 5000"); db.run("BEGIN EXCLUSIVE"); console.log("locked"); setInterval(() => {}, 1000);`;
      const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
      disturb(spot, child);
      const { value } = await child.stdout.getReader().read();
      if (!value) throw new Error("the database could not be locked");
    },
    rounds: all(sleeps(6), cannotWrite),
    end: calm,
  }),
  meanwhile("disk", `the data directory, a tmpfs of ${DISK}, is full for 12 s`, {
    async server(spot, folder) {
      const dir = join(folder, "data");
      mkdirSync(dir);
      await must("mount", "-t", "tmpfs", "-o", `size=${DISK},mode=0700`, "tmpfs", dir);
      spot.own({ [Symbol.asyncDispose]: () => must("umount", "--lazy", dir) });
      return {};
    },
    async begin(spot) {
      const fill = ["sh", "-c", 'cat /dev/zero >"$0"', join(serverOf(spot).dataDir, "filler")];
      await Bun.spawn(fill, { stderr: "ignore" }).exited;
      const end = performance.now() + LOG_LASTS;
      while (performance.now() < end && (await healthOf(spot)).ok) await Bun.sleep(200);
    },
    rounds: all(sleeps(6), cannotWrite),
    end: (spot) => rmSync(join(serverOf(spot).dataDir, "filler")),
  }),
  meanwhile("dns", "the DNS server of stillup ignores every query for 12 s", {
    begin: (spot) => ignoresQueries(spot, true),
    end: (spot) => ignoresQueries(spot, false),
  }),
  meanwhile("network", "the link of stillup is down for 12 s, with a network check", network("inside")),
  meanwhile("cable", "the other end of the link is down for 12 s, with a network check", network("outside")),
  meanwhile("network-unset", "the link of stillup is down for 12 s, without a network check", {
    ...network("inside", { isChecked: false }),
    isBlind: true,
  }),
  meanwhile("clock-forward", "the clock is an hour fast for 15 s", jump(1)),
  meanwhile("clock-back", "the clock is an hour slow for 15 s", jump(-1)),
];

function stop(seconds: number): Breakdown {
  return {
    begin: (spot) => serverOf(spot).signal("SIGSTOP"),
    half: seconds / 2,
    end: (spot) => serverOf(spot).signal("SIGCONT"),
  };
}

function limitsDescriptors(): Breakdown {
  const limit = (spot: Spot, most: string) =>
    must("prlimit", "--pid", `${serverOf(spot).pid}`, `--nofile=${most}:`);
  const usual = new WeakMap<Spot, string>();
  return {
    begin(spot) {
      const limits = readFileSync(`/proc/${serverOf(spot).pid}/limits`, "utf8");
      usual.set(spot, /Max open files +(\d+)/.exec(limits)?.[1] ?? "");
      return limit(spot, "3");
    },
    end: (spot) => limit(spot, usual.get(spot) ?? ""),
  };
}

/** The server is in a network namespace of its own. @param side the end of its link that goes down */
function network(side: "inside" | "outside", { isChecked = true } = {}): Breakdown {
  const links = new WeakMap<Spot, Awaited<ReturnType<typeof openNamespace>>>();
  const turn = (to: "up" | "down") => (spot: Spot) => links.get(spot)?.turn(side, to);
  return {
    async server(spot) {
      const namespace = await openNamespace(spot);
      links.set(spot, namespace);
      // A refused connection shows that the network works.
      const env = { STILLUP_NETWORK_CHECK: `${spot.address()}:${CLOSED_PORT}` };
      return { host: namespace.host, through: namespace.through, ...(isChecked && { env }) };
    },
    begin: turn("down"),
    end: turn("up"),
  };
}

/** The monotonic clock goes on. @param hours by which the clock jumps, and back */
function jump(hours: number): Breakdown {
  return {
    hours,
    half: 7.5,
    server() {
      if (!findFakeClock()) throw new Error("libfaketime is not installed (Debian: faketime)");
      return { hours: 0 };
    },
    async begin(spot) {
      serverOf(spot).setClock(hours);
      const { headers } = await healthOf(spot);
      const shift = (Date.parse(headers.get("date") ?? "") - Date.now()) / 3_600_000;
      if (!(Math.abs(shift - hours) < 0.5)) throw new Error("the clock did not change");
    },
    end: (spot) => serverOf(spot).setClock(0),
  };
}

const disturbers = new WeakMap<Spot, Bun.Subprocess[]>();

/** @param child which runs until `calm`, and at most until the scenario ends */
function disturb(spot: Spot, child: Bun.Subprocess): void {
  disturbers.set(spot, [...(disturbers.get(spot) ?? []), child]);
  spot.own({ [Symbol.dispose]: () => child.kill("SIGKILL") });
}

async function calm(spot: Spot): Promise<void> {
  for (const child of disturbers.get(spot) ?? []) {
    child.kill("SIGKILL");
    await child.exited;
  }
}

/** @throws Error if the server can still write */
async function cannotWrite(spot: Spot): Promise<void> {
  if ((await healthOf(spot)).ok) throw new Error("the server could still write");
}

function healthOf(spot: Spot): Promise<Response> {
  return fetch(`${serverOf(spot).url}/healthz`);
}

function serverOf({ server }: Spot): ServerProcess {
  if (!server) throw new Error("the scenario has no server of its own");
  return server;
}

import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { CannotRun, type Fault, last, must } from "./fault.ts";
import { mayPrefer } from "./target-process.ts";

const RESTARTS = 8;
const RESTART_EVERY = 5000;
const SHORT_STOPS = 10;
/** A nice value. */
const BEFORE_OTHERS = "-20";

/** Faults of the process, and of the machine that runs it. */
export const processFaults: Fault[] = [
  {
    name: "short-stops",
    method: `${SHORT_STOPS} times SIGSTOP, 0.4 s, SIGCONT, 0.6 s`,
    async cause({ server }, middle) {
      for (let round = 0; round < SHORT_STOPS; round++) {
        server.signal("SIGSTOP");
        await Bun.sleep(400);
        server.signal("SIGCONT");
        if (round === SHORT_STOPS / 2) await middle();
        await Bun.sleep(600);
      }
    },
  },
  stop("stop-5", 5),
  stop("stop-40", 40),
  {
    name: "kill",
    method: "kill -9, and start again a second later",
    async cause({ server }, middle) {
      await server.end("SIGKILL");
      await last(1, middle);
      await server.start();
    },
  },
  {
    name: "restarts",
    method: `${RESTARTS} times SIGTERM and start, one every ${RESTART_EVERY / 1000} s`,
    async cause({ server }, middle) {
      for (let round = 0; round < RESTARTS; round++) {
        const next = Bun.sleep(RESTART_EVERY);
        await server.end("SIGTERM");
        if (round === RESTARTS / 2) await middle();
        await server.start();
        await next;
      }
    },
  },
  {
    name: "descriptors",
    method: "prlimit --nofile=3 on the running process for 12 s: every open fails",
    async cause({ server }, middle) {
      const pid = String(server.pid());
      const [, limit = ""] = /Max open files +(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, "utf8")) ?? [];
      await must("prlimit", "--pid", pid, "--nofile=3:");
      await last(12, middle);
      await must("prlimit", "--pid", pid, `--nofile=${limit}:`);
    },
  },
  {
    name: "cores",
    method: `two busy processes per core with nice ${BEFORE_OTHERS} for 15 s; the targets have real-time priority`,
    alone: true,
    async cause(_, middle) {
      if (!mayPrefer()) throw new CannotRun("the targets can't have real-time priority");
      await must("nice", "-n", BEFORE_OTHERS, "true");
      const busy = ["nice", "-n", BEFORE_OTHERS, "sh", "-c", "while :; do :; done"];
      const children = Array.from({ length: 2 * cpus().length }, () => Bun.spawn(busy));
      await last(15, middle);
      for (const child of children) child.kill("SIGKILL");
    },
  },
];

function stop(name: string, seconds: number): Fault {
  return {
    name,
    method: `SIGSTOP, ${seconds} s, SIGCONT`,
    async cause({ server }, middle) {
      server.signal("SIGSTOP");
      await last(seconds, middle);
      server.signal("SIGCONT");
    },
  };
}

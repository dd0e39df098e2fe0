import { join } from "node:path";
import type { Answer, Listening, Order, Report, Target } from "./messages.ts";

/** The process of `targets.ts`. */
export interface TargetProcess {
  listen(address: string, targets: Target[], period: number): Promise<Listening>;
  order(order: Order): Promise<Answer>;
  report(): Promise<Report>;
  stop(): Promise<void>;
}

/** Whether this user may let the targets run before everything else. */
export function mayPrefer(): boolean {
  return Bun.spawnSync(["chrt", "--fifo", "1", "true"], { stderr: "ignore" }).success;
}

/** With real-time priority if that is allowed: a target that waits for a core would look slow or down. */
export function startTargets(): TargetProcess {
  const waiting: ((answer: Answer) => void)[] = [];
  const prefer = mayPrefer() ? ["chrt", "--reset-on-fork", "--fifo", "1"] : [];
  const child = Bun.spawn([...prefer, process.execPath, join(import.meta.dir, "targets.ts")], {
    stdout: "inherit",
    stderr: "inherit",
    serialization: "advanced",
    ipc: (answer: Answer) => waiting.shift()?.(answer),
  });
  const ended = child.exited.then(() => {
    throw new Error("the process of the targets has ended");
  });
  // Nothing may be waiting for it at the end.
  ended.catch(() => {});
  const order = (one: Order) => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    waiting.push(resolve);
    child.send(one);
    return Promise.race([promise, ended]);
  };
  return {
    order,
    async listen(address, targets, period) {
      const answer = await order({ listen: { address, targets, period } });
      if (!("listening" in answer)) throw new Error("the targets do not listen");
      return answer.listening;
    },
    async report() {
      const answer = await order({ report: true });
      if (!("report" in answer)) throw new Error("the targets do not report");
      return answer.report;
    },
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

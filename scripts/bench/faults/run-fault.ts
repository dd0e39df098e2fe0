import { rm } from "node:fs/promises";
import type { Fault } from "./fault.ts";
import { judge, type Verdict } from "./judge.ts";
import { createFolder, openScene, type Scene } from "./scene.ts";

/** When the targets of course `recovers` go down that are no jobs, from the start; milliseconds. */
const TARGETS_STOP = 13_000;
/** When the fault begins, except if an outage is not noticed by then. Baselines are known by then. */
const FAULT = 16_000;
const LATEST_FAULT = 30_000;
/** From the end of the fault until the targets of course `falls` recover. A dead job is noticed by then. */
const OUTAGE = 24_000;
/** Until the end. */
const RECOVERY = 14_000;
/** Notifications that failed once are repeated 5 s and 35 s later. */
const SETTLE = 40_000;

const open = new Set<AsyncDisposableStack>();
let scenes = 0;

/** Ends every server and process, and undoes what was prepared. */
export async function endAll(): Promise<void> {
  await Promise.all([...open].map((stack) => stack.disposeAsync()));
}

/** @throws CannotRun */
export async function runFault(fault: Fault): Promise<Verdict> {
  await using stack = new AsyncDisposableStack();
  open.add(stack);
  stack.defer(() => void open.delete(stack));
  const folder = await createFolder();
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // An address of its own: a client of another server must not take the port of a target that is down.
  const outside = `127.99.${++scenes}.1`;
  const place = { outside, inside: "127.0.0.1", ...(await fault.prepare?.(folder, stack)) };
  const created = Date.now();
  const scene = stack.use(await openScene(place, folder));
  // A job that never checked in is never late (behavior 3.1).
  while (!(await scene.report()).haveCheckedIn) await Bun.sleep(100);
  const start = Date.now();
  const until = (ms: number) => Bun.sleep(start + ms - Date.now());
  await scene.turn("down", "recovers", "jobs");
  await until(TARGETS_STOP);
  await scene.turn("down", "recovers", "checked");
  await until(FAULT);
  while (Date.now() < start + LATEST_FAULT && !(await areNoticed(scene))) await Bun.sleep(200);
  const from = Date.now();
  await fault.cause(scene, async () => {
    await Promise.all([scene.turn("up", "recovers"), scene.turn("down", "falls")]);
  });
  const to = Date.now();
  await Bun.sleep(OUTAGE);
  await scene.turn("up", "falls");
  await Bun.sleep(RECOVERY);
  const read = async () => {
    // Events that the report does not contain yet are not judged.
    const end = Date.now();
    const report = await scene.report();
    const results = await scene.results();
    for (const rows of results.values()) while (Number(rows.at(-1)?.createdAt) > end) rows.pop();
    return {
      ...{ targets: scene.targets, report, results },
      whole: { from: created, to: end },
      fault: { from, to },
      offsets: [0, ...(fault.offsets ?? [])],
    };
  };
  const end = Date.now() + SETTLE;
  for (;;) {
    const verdict = judge(await read());
    const isLost = verdict.lostOrRepeated.some((one) => one.endsWith("lost"));
    if (!isLost || Date.now() > end) return verdict;
    await Bun.sleep(1000);
  }
}

/** Whether each target that is down before the fault has a notification. */
async function areNoticed(scene: Scene): Promise<boolean> {
  const { notifications } = await scene.report();
  const noticed = new Set(notifications.map(({ monitor }) => monitor));
  return scene.targets.every(({ name, course }) => course !== "recovers" || noticed.has(name));
}

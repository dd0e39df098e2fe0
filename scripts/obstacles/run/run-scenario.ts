import { intervalOf, isQuiet, latestAfter, timeoutOf } from "../judge/latest.ts";
import type { Run, Span, Watched } from "../judge/run.ts";
import type { Monitor, Scenario, Truth } from "../scenario.ts";
import type { Spot } from "../world/spot.ts";
import type { Product } from "./product.ts";
import type { Witness } from "./witness.ts";

/** How many intervals a stage goes on after its truth is known, so that a check of it which sees something else is noticed. */
const STAYS = 1.3;
/** The same for a job, which nobody checks; milliseconds. */
const SETTLES = 1000;
const HOUR = 3_600_000;
/** Intervals of a stage without news, beside the timeout: two checks see it. */
const QUIET = 2.2;

export interface Around {
  spot: Spot;
  product: Product;
  witness: Witness;
  /** Milliseconds that something may be late beyond what the rules allow, before the course goes on without it. */
  patience: number;
  /** When the stand-ins were late. They explain that a target was degraded. */
  stalls?: Run["stalls"];
}

interface Created {
  id: string;
  name: string;
  label: string;
  monitor: Monitor;
}

/** Runs the stages of a scenario on new monitors. @param name of the run, different for each */
export async function runScenario(scenario: Scenario, name: string, around: Around): Promise<Run> {
  const { product, spot, witness, stalls = [] } = around;
  const spans: Span[] = [];
  let created: Created[] = [];
  try {
    for (const [at, stage] of scenario.stages.entries()) {
      const begin = Date.now();
      await stage.change(spot);
      if (at === 0) created = await createMonitors(scenario, name, around);
      const span = { begin, settled: Date.now(), end: 0 };
      if (typeof stage.lasts === "function") await stage.lasts(spot);
      else await Promise.all(created.map((one) => lastOf(scenario, at, { one, span, around })));
      span.end = Date.now();
      spans.push(span);
    }
    const until = spans.at(-1)?.end ?? 0;
    const { right, latest } = clockOf(scenario, spans);
    const watched = await Promise.all(
      created.map(async ({ id, name: own, label, monitor }): Promise<Watched> => {
        const truths = scenario.stages.map((stage) => truthOf(stage.truths, label));
        return {
          ...{ label, monitor, truths },
          said: witness.saidOf(own).map((one) => ({ ...one, checkedAt: right(one.checkedAt) })),
          results: (await product.resultsOf(id, latest))
            .map((one) => ({ ...one, createdAt: right(one.createdAt) }))
            .filter(({ createdAt }) => createdAt <= until),
          evidence: (await product.evidenceOf?.(id))?.map((one) => ({ ...one, at: right(one.at) })),
          final: await product.statusOf(id),
          advice: await product.adviceOf(id),
        };
      }),
    );
    return { scenario: scenario.name, spans, watched, stalls };
  } finally {
    await Promise.all(created.map(({ id }) => product.deleteMonitor(id)));
  }
}

async function createMonitors(scenario: Scenario, name: string, around: Around): Promise<Created[]> {
  const { product, spot, witness } = around;
  // A channel sends one notification after another: other scenarios would delay it.
  const channel = scenario.channel?.(spot) ?? { type: "WEBHOOK", config: { url: witness.url } };
  const channelId = await product.createChannel(channel);
  const created: Created[] = [];
  for (const [label, create] of Object.entries(scenario.monitors)) {
    const monitor = create(spot);
    const own = `${name} ${label}`;
    const { id, checkinUrl } = await product.createMonitor(own, monitor, channelId);
    created.push({ id, name: own, label, monitor });
    if (checkinUrl) spot.checkin(label).resolve(checkinUrl);
  }
  return created;
}

/** Waits until a stage has lasted for long enough for one of its monitors. */
async function lastOf(
  { stages }: Scenario,
  at: number,
  { one: { name, label, monitor }, span, around }: { one: Created; span: Span; around: Around },
): Promise<void> {
  const { lasts, truths } = stages[at] ?? { truths: {} };
  if (lasts !== undefined) return Bun.sleep(Number(lasts) * 1000);
  const truth = truthOf(truths, label);
  const before = stages[at - 1]?.truths[label]?.status;
  const isNews = before === undefined ? !isQuiet(truth) : truth.status !== before;
  const interval = intervalOf(monitor);
  if (isNews) {
    const ms = latestAfter(monitor, truth, before) + around.patience;
    await around.witness.hears(name, { status: truth.status, after: span.begin, ms });
    await Bun.sleep(monitor.type === "SCHEDULED" ? SETTLES : interval * STAYS);
  } else {
    await Bun.sleep(interval * (at === 0 ? 1 : QUIET) + timeoutOf(monitor));
  }
}

/** Times of a clock that is wrong at times, which is then more than a run beside the time. */
function clockOf({ hours = 0 }: Scenario, spans: Span[]) {
  const [begin, end] = [spans[0]?.begin ?? 0, spans.at(-1)?.end ?? 0];
  const offset = hours * HOUR;
  const isWithin = (at: number) => at > begin - HOUR / 2 && at < end + HOUR / 2;
  return {
    right: (at: number) => (offset !== 0 && !isWithin(at) ? at - offset : at),
    latest: end + Math.max(0, offset),
  };
}

function truthOf(truths: Record<string, Truth>, label: string): Truth {
  const truth = truths[label];
  if (!truth) throw new Error(`a stage says nothing about the monitor ${label}`);
  return truth;
}

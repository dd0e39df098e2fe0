import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import type { CheckFacts } from "../../../src/domain/evidence/evidence.ts";
import type { Recording } from "../../../src/domain/monitors/recording-plan.ts";
import { createLogger } from "../../../src/log.ts";
import type { ProbeThread } from "../../../src/probes/probe-thread.ts";
import { createMetrics } from "../../../src/runner/metrics/metrics.ts";
import { createRunner, createStorageHealth } from "../../../src/runner/runner.ts";
import type { Store } from "../../../src/store/store.ts";
import { eventually } from "../../support/eventually.ts";
import { ChatService } from "../../support/servers/chat-service.ts";
import { alone } from "../../support/store/alone.ts";
import { Ledger } from "../../support/store/ledger.ts";

setDefaultTimeout(300_000);

const MONITORS = 2000;
const WAVES = 4;
const PER_WAVE = MONITORS / WAVES;
/** So much evidence of a location is kept whole at once, and completed by a look. */
const AT_ONCE = 8;

/** A call of the store. @property turn of the event loop in which it began */
interface Call {
  name: string;
  turn: number;
  hasEnded: boolean;
  /** Other calls that had not ended when it began. */
  beside: string[];
}

let ledger: Ledger;
let chat: ChatService;

beforeEach(async () => {
  ledger = await Ledger.create();
  chat = await ChatService.start("hooks.slack.com");
});

afterEach(async () => {
  await chat[Symbol.asyncDispose]();
  await ledger[Symbol.asyncDispose]();
});

/** Notes each call of the store in its order. */
function watched(store: Store, calls: Call[], turn: () => number): Store {
  const wrap = <Target extends object>(target: Target, path: string): Target =>
    Object.fromEntries(
      Object.entries(target).map(([key, member]) => {
        const name = path + key;
        if (typeof member !== "function") return [key, wrap(member, `${name}.`)];
        return [key, (...given: unknown[]) => noted(name, () => member(...given))];
      }),
    ) as Target;
  function noted(name: string, make: () => unknown): unknown {
    const beside = calls.filter(({ hasEnded }) => !hasEnded).map((one) => one.name);
    const call: Call = { name, turn: turn(), hasEnded: false, beside };
    calls.push(call);
    const end = () => {
      call.hasEnded = true;
    };
    const result = make();
    if (result instanceof Promise) result.then(end, end);
    else end();
    return result;
  }
  return wrap(store, "");
}

/** Counts turns of the event loop. */
function countTurns() {
  let turns = 0;
  let isOver = false;
  const next = () => {
    turns++;
    if (!isOver) setImmediate(next);
  };
  next();
  return {
    turn: () => turns,
    [Symbol.dispose]() {
      isOver = true;
    },
  };
}

/** Looks answer at once, which is the earliest that they can. */
const probes: ProbeThread = {
  run: () => Promise.reject(new Error("no check is due")),
  cancel() {},
  ping: async () => {},
  look: async () => ({
    ...{ connections: null, path: null },
    self: { loopDelayMs: 0, load: 0, freeDescriptors: null, online: true },
  }),
  sockets: () => 0,
  stop() {},
};

/** The monitors of each wave have a channel of their own. */
async function sites(): Promise<string[]> {
  const channels: string[] = [];
  const webhookUrl = chat.url("/services/T0/B0/x");
  for (let at = 0; at < WAVES; at++)
    channels.push(await ledger.channel({ type: "SLACK", config: { webhookUrl } }));
  const ids: string[] = [];
  for (let at = 0; at < MONITORS; at++) {
    const config = { host: `host-${at}.example`, port: 443, interval: 60 };
    const values = { name: `site ${at}`, type: "TCP", config, confirmations: 0 } as const;
    const wave = Math.floor(at / PER_WAVE);
    const alertChannelIds = channels.slice(wave, wave + 1);
    ids.push(
      (await ledger.store.monitors.create(ledger.owner, { ...values, alertChannelIds }, ledger.now())).id,
    );
  }
  return ids;
}

function checks(ids: readonly string[], evidence: Evidence, at: number) {
  return ids.map((monitorId): Recording => ({ kind: "check", monitorId, revision: 0, evidence, at }));
}

const isEvidence = ({ name }: Pick<Call, "name">) => name === "recording.completeEvidence";
const isClaim = ({ name }: Pick<Call, "name">) => name === "deliveries.claim";
const isCause = ({ name }: Pick<Call, "name">) => name.startsWith("causes.");

test("behavior 22.6, 22.7, 22.21: in a storm, the first notification of a channel is claimed before evidence is completed, which happens one at a time, and facts are read in slices", async () => {
  const ids = await sites();
  const address = "203.0.113.7";
  const detail = { address };
  const good: Evidence = { outcome: "reached", latencyMs: 5, told: [address], detail };
  const facts: CheckFacts = { step: "connect", dns: null, tls: null, http: null };
  const bad: Evidence = { outcome: "failed", reason: "refused", told: [address], detail, facts };
  const begin = ledger.now();
  await ledger.store.recording.record(checks(ids, good, begin - 1000));

  using turns = countTurns();
  const calls: Call[] = [];
  const runner = createRunner({
    store: watched(ledger.store, calls, turns.turn),
    // A slow machine changes no order.
    clock: { ...ledger.clock, monotonic: () => ledger.clock.monotonic() / 10 },
    claimant: () => alone,
    log: createLogger({ level: "silent" }),
    probes,
    storage: createStorageHealth(),
    metrics: createMetrics(),
    delivery: chat.settings,
    urlOf: (slug) => slug,
    retentionDays: 1,
    pageSlugs: [],
    findRegistration: () => undefined,
  });
  const starts: number[] = [];
  for (let wave = 0; wave < WAVES; wave++) {
    starts.push(calls.length);
    const failed = checks(ids.slice(wave * PER_WAVE, (wave + 1) * PER_WAVE), bad, begin);
    await Promise.all(failed.map((one) => runner.recorder.record(one, { isTransition: true })));
    await eventually(() => calls.slice(starts[wave]).some(isClaim));
  }
  await eventually(() => calls.filter(isEvidence).length >= AT_ONCE && chat.received.length >= WAVES);
  runner.looks.stop();
  await runner.causeWatch.stop();
  await runner.dispatcher.stop(5000);
  await runner.alertReview.stop();

  for (const start of starts) {
    const claimed = calls.findIndex((call, at) => at >= start && isClaim(call));
    expect(calls.slice(start, claimed).filter(isEvidence)).toEqual([]);
  }
  const [first = 0] = starts;
  const untilClaim = calls.slice(first, calls.findIndex(isClaim));
  // PostgreSQL reads on several connections: a slice of facts keeps no claim from its own.
  if (ledger.db.engine === "sqlite") expect(untilClaim.filter(isCause)).toEqual([]);
  const completions = calls.filter(isEvidence);
  expect(completions).toHaveLength(AT_ONCE);
  expect(completions.flatMap(({ beside }) => beside.filter((name) => name.startsWith("recording.")))).toEqual(
    [],
  );
  expect(mostInOneTurn(completions)).toBe(1);
  const slices = calls.filter(({ name }) => name === "causes.listKnownMonitors");
  expect(slices.length).toBeGreaterThanOrEqual(MONITORS / 100);
  expect(mostInOneTurn(slices)).toBeLessThanOrEqual(2);
});

function mostInOneTurn(calls: readonly Call[]): number {
  const counts = Map.groupBy(calls, ({ turn }) => turn)
    .values()
    .map(({ length }) => length);
  return Math.max(...counts);
}

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { createLogger } from "../../../src/log.ts";
import { type CauseWatch, createCauseWatch } from "../../../src/runner/causes/cause-watch.ts";
import type { Store } from "../../../src/store/store.ts";
import { eventually } from "../../support/eventually.ts";
import { Ledger, type Site } from "../../support/store/ledger.ts";

setDefaultTimeout(300_000);

const ADDRESS = "203.0.113.7";

let ledger: Ledger;
const watches: CauseWatch[] = [];

beforeEach(async () => {
  ledger = await Ledger.create();
});

afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.stop();
  await ledger[Symbol.asyncDispose]();
});

function watch(causes: Partial<Store["causes"]> = {}): CauseWatch {
  const created = createCauseWatch({
    store: { causes: { ...ledger.store.causes, ...causes } },
    clock: ledger.clock,
    log: createLogger({ level: "silent" }),
    wakeScheduler() {},
    wakeDispatcher() {},
  });
  watches.push(created);
  return created;
}

/** Sites that were good, and fail now. */
async function failing(count: number): Promise<Site[]> {
  const sites = await Array.fromAsync({ length: count }, () => ledger.site());
  const at = ledger.now();
  for (const one of sites) await one.up(5, at - 1000, { address: ADDRESS });
  for (const one of sites) await one.down(at);
  return sites;
}

const list = async () => (await ledger.store.causes.list(ledger.organization.id, { limit: 10 })).items;

const firstCause = () => eventually(async () => (await list())[0]);

test("behavior 22.23: after a crash between the failures and the cause, the next start finds it whole", async () => {
  await failing(4);
  expect(await list()).toEqual([]);
  watch().start();
  expect(await firstCause()).toMatchObject({ kind: "address", value: ADDRESS, monitorCount: 4 });
});

test("behavior 22.23: what could not be stored is stored by the next look", async () => {
  await failing(3);
  let calls = 0;
  const save: Store["causes"]["save"] = (...given) => {
    calls++;
    if (calls === 1) return Promise.reject(new Error("the disk is away"));
    return ledger.store.causes.save(...given);
  };
  const first = watch({ save });
  first.start();
  await eventually(() => calls === 1);
  first.wake();
  expect(await firstCause()).toMatchObject({ monitorCount: 3 });
  expect(calls).toBe(2);
});

test("behavior 22.23: several nodes that find a cause at once store it once", async () => {
  const sites = await failing(5);
  const nodes = Array.from({ length: 3 }, () => watch());
  for (const one of nodes) one.start();
  await firstCause();
  for (const one of nodes) one.wake();
  for (const one of nodes.splice(0)) await one.stop();
  expect(await list()).toMatchObject([{ monitorCount: 5 }]);
  const { items } = await ledger.store.outages.list(ledger.organization.id, { limit: 10 });
  expect(items.filter(({ cause }) => cause !== null)).toHaveLength(sites.length);
});

test("behavior 22.22: without enough failures close to each other, no facts are read", async () => {
  const sites = await Array.fromAsync({ length: 3 }, () => ledger.site());
  const at = ledger.now();
  for (const one of sites) await one.up(5, at - 400_000, { address: ADDRESS });
  for (const [place, one] of sites.entries()) await one.down(at - 300_000 + place * 60_000);
  let looks = 0;
  const findSituation: Store["causes"]["findSituation"] = async (...given) => {
    const situation = await ledger.store.causes.findSituation(...given);
    looks++;
    return situation;
  };
  const listKnownMonitors = () => Promise.reject(new Error("the facts are read"));
  const own = watch({ findSituation, listKnownMonitors });
  own.start();
  await eventually(() => looks === 1);
  await own.stop();
  expect(await list()).toEqual([]);
});

test("behavior 22.22, 22.26: of two failures, the others with their fact are asked, and say whether there may be a cause", async () => {
  const sites = await Array.fromAsync({ length: 4 }, () => ledger.site());
  const at = ledger.now();
  for (const one of sites) await one.up(5, at - 1000, { address: ADDRESS });
  for (const one of sites.slice(0, 2)) await one.down(at);
  const asked: string[] = [];
  const ask: Store["causes"]["ask"] = async (_, { ids }) => void asked.push(...ids);
  const own = watch({ ask });
  const organization = (await ledger.store.causes.listWatched(0))[0]?.pk ?? 0;
  const { troubles } = await ledger.store.causes.findSituation(organization);
  const verdicts = () => troubles.map(({ outagePk }) => own.isUndecided(outagePk));
  expect(verdicts()).toEqual([undefined, undefined]);
  own.start();
  await eventually(() => verdicts().every((one) => one === true));
  expect(asked.toSorted()).toEqual(
    sites
      .slice(2)
      .map(({ id }) => id)
      .toSorted(),
  );
  await sites[2]?.up(5, ledger.now() + 1000, { address: ADDRESS });
  await eventually(() => {
    own.wake();
    return verdicts().every((one) => one === false);
  });
  expect(await list()).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { StorageFault } from "../../../src/errors.ts";
import { createLogger } from "../../../src/log.ts";
import type { NetworkState } from "../../../src/probes/network-state.ts";
import type { NetworkView } from "../../../src/probes/probe-thread.ts";
import { createLocationWatch, type LocationWatch } from "../../../src/runner/locations/location-watch.ts";
import type { Store } from "../../../src/store/store.ts";
import { createTestClock, type TestClock } from "../../support/clock.ts";
import { alone } from "../../support/store/alone.ts";
import { createDatabase, type TestDatabase } from "../../support/store/database.ts";
import { createPlace, observeFrom, type Place } from "../../support/store/places.ts";
import { trackedStore } from "../../support/store/tracked-store.ts";

// Each second of virtual time takes some queries.
setDefaultTimeout(300_000);

const MINUTE = 60_000;

let database: TestDatabase;
let clock: TestClock;
let watch: LocationWatch | undefined;
let wakes: string[];
/** Whether the database can't be reached by the watch. */
let isAway: boolean;
/** Whether another node watches. */
let isElsewhere: boolean;

beforeEach(async () => {
  database = await createDatabase();
  clock = createTestClock();
  wakes = [];
  isAway = false;
  isElsewhere = false;
});

afterEach(async () => {
  await watch?.stop();
  await database[Symbol.asyncDispose]();
});

function start(network?: NetworkView): void {
  const { store } = database;
  const listWatched = () =>
    isAway ? Promise.reject(new StorageFault(new Error("away"))) : store.locations.listWatched();
  const take: Store["claims"]["take"] = async (...claim) => !isElsewhere && store.claims.take(...claim);
  const reached: Store = {
    ...store,
    claims: { ...store.claims, take },
    locations: { ...store.locations, listWatched },
  };
  watch = createLocationWatch({
    store: trackedStore(reached, clock),
    clock,
    claimant: () => alone,
    log: createLogger({ level: "silent" }),
    wakeDispatcher: () => wakes.push("dispatcher"),
    wakeScheduler: () => wakes.push("scheduler"),
    network,
  });
  watch.start();
}

async function stateOf({ id }: Pick<Place, "id">): Promise<string | undefined> {
  const locations = await database.store.locations.list(database.owner.organizationId);
  return locations.find((location) => location.id === id)?.state;
}

function see({ pk }: Place): Promise<void> {
  return database.store.locations.noteSeen(pk, { now: clock.now(), version: "1.2.3" });
}

describe("behavior 13.20: a location", () => {
  test("is silent 60 s after the last request of its probe, and the dispatcher is woken", async () => {
    const place = await createPlace(database, "fra", clock.now());
    start();
    await clock.advance(MINUTE - 1000);
    await see(place);
    await clock.advance(MINUTE - 1000);
    expect(await stateOf(place)).toBe("connected");
    expect(wakes).toEqual([]);
    await clock.advance(2000);
    expect(await stateOf(place)).toBe("silent");
    expect(wakes).toContain("dispatcher");
    wakes = [];
    await clock.advance(2 * MINUTE);
    expect(wakes).toEqual([]);
  });

  test("is not silent if it was never connected", async () => {
    const place = await createPlace(database, "fra", null);
    start();
    await clock.advance(2 * MINUTE);
    expect(await stateOf(place)).toBe("new");
  });

  test("behavior 13.21: is connected again within a second of a request", async () => {
    const place = await createPlace(database, "fra", clock.now());
    start();
    await clock.advance(2 * MINUTE);
    expect(await stateOf(place)).toBe("silent");
    wakes = [];
    await see(place);
    await clock.advance(1000);
    expect(await stateOf(place)).toBe("connected");
    expect(wakes).toContain("dispatcher");
  });

  test("behavior 13.21: is not connected again while it is silent a second time, after another node ended the first", async () => {
    const place = await createPlace(database, "fra", clock.now());
    start();
    await clock.advance(2 * MINUTE);
    isElsewhere = true;
    await clock.advance(MINUTE);
    await see(place);
    await database.store.locations.reconnect(place.pk, clock.now());
    await clock.advance(2 * MINUTE);
    await database.store.locations.silence(place.pk, clock.now());
    isElsewhere = false;
    wakes = [];
    await clock.advance(MINUTE);
    expect(await stateOf(place)).toBe("silent");
    expect(wakes).toEqual([]);
  });

  test("behavior 13.21: is connected again by its next request, also after the clock was set back", async () => {
    const place = await createPlace(database, "fra", clock.now());
    start();
    await clock.advance(2 * MINUTE);
    clock.setBack(60 * MINUTE);
    await clock.advance(2000);
    expect(await stateOf(place)).toBe("silent");
    await see(place);
    await clock.advance(2000);
    expect(await stateOf(place)).toBe("connected");
  });
});

describe("behavior 13.22: no location is silent within 60 s", () => {
  test("no location is silent soon after the start of this server", async () => {
    const place = await createPlace(database, "fra", clock.now() - 60 * MINUTE);
    start();
    await clock.advance(MINUTE - 1000);
    expect(await stateOf(place)).toBe("connected");
    await clock.advance(2000);
    expect(await stateOf(place)).toBe("silent");
  });

  test("no location is silent soon after the database was away", async () => {
    const place = await createPlace(database, "fra", clock.now());
    start();
    await clock.advance(50_000);
    isAway = true;
    await clock.advance(2 * MINUTE);
    isAway = false;
    await clock.advance(MINUTE - 2000);
    expect(await stateOf(place)).toBe("connected");
    await clock.advance(3000);
    expect(await stateOf(place)).toBe("silent");
  });

  test("behavior 13.56: no location is silent soon after the network of this server was offline", async () => {
    const place = await createPlace(database, "fra", clock.now());
    const changed = Promise.withResolvers<(state: NetworkState) => void>();
    let state: NetworkState = "offline";
    start({ state: () => state, look: async () => state, answered() {}, onChange: changed.resolve });
    await clock.advance(5 * MINUTE);
    expect(await stateOf(place)).toBe("connected");
    state = "online";
    (await changed.promise)(state);
    await clock.advance(MINUTE - 2000);
    expect(await stateOf(place)).toBe("connected");
    await clock.advance(3000);
    expect(await stateOf(place)).toBe("silent");
  });

  test("no location is silent soon after a request that could not be noted", async () => {
    const place = await createPlace(database, "fra", clock.now());
    start();
    await clock.advance(50_000);
    watch?.distrust();
    await clock.advance(50_000);
    expect(await stateOf(place)).toBe("connected");
    await clock.advance(11_000);
    expect(await stateOf(place)).toBe("silent");
  });

  test.each([
    ["ahead", 60 * MINUTE],
    ["back", -60 * MINUTE],
  ])("of a change of the clock, %s", async (_, step) => {
    const place = await createPlace(database, "fra", clock.now());
    start();
    await clock.advance(50_000);
    clock.jump(step);
    await clock.advance(MINUTE - 1000);
    expect(await stateOf(place)).toBe("connected");
    await clock.advance(2000);
    expect(await stateOf(place)).toBe("silent");
  });
});

describe("behavior 13.25: the network of a location", () => {
  async function createMonitors(places: Place[]): Promise<string[]> {
    const values = {
      name: "shop",
      type: "HTTP" as const,
      config: { url: "http://127.0.0.1:1/", interval: 60 },
      locations: places.map(({ id }) => id),
    };
    const create = () => database.store.monitors.create(database.owner, values, clock.now());
    return [(await create()).id, (await create()).id, (await create()).id];
  }

  async function atFault(): Promise<string[]> {
    const reports = await database.store.locations.listReports(database.owner.organizationId);
    return reports.flatMap(({ name, isAtFault }) => (isAtFault ? [name] : []));
  }

  test("is at fault while all of its checks fail and other locations see the targets healthy", async () => {
    const places = [
      await createPlace(database, "fra", clock.now()),
      await createPlace(database, "nyc", clock.now()),
    ] as const;
    const [fra, nyc] = places;
    const monitorIds = await createMonitors([...places]);
    start();
    await observeFrom(database.store, nyc, { monitorIds, at: clock.now(), isUp: true });
    await observeFrom(database.store, fra, { monitorIds, at: clock.now(), isUp: false });
    await clock.advance(2000);
    expect(await atFault()).toEqual(["fra"]);
    await observeFrom(database.store, fra, { monitorIds, at: clock.now(), isUp: true });
    await clock.advance(2000);
    expect(await atFault()).toEqual([]);
  });

  test("is not at fault while other locations see the same", async () => {
    const places = [
      await createPlace(database, "fra", clock.now()),
      await createPlace(database, "nyc", clock.now()),
    ] as const;
    const monitorIds = await createMonitors([...places]);
    start();
    for (const place of places)
      await observeFrom(database.store, place, { monitorIds, at: clock.now(), isUp: false });
    await clock.advance(2000);
    expect(await atFault()).toEqual([]);
  });
});

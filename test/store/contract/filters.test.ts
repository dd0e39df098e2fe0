import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { walks } from "../../support/long.ts";
import { contractSuite } from "./suite.ts";
import { allPages, allSlices, DAY, HOUR, NOW, type World } from "./world.ts";

const STATUSES = { job: { good: "ok", bad: "failed" }, site: { good: "up", bad: "down" } } as const;

contractSuite("filters", (world, _, slow) => {
  test("behavior 14.3: monitors are listed by tag and type", async () => {
    const [a, b, c] = [
      await tagged(world(), "job", "web", "team:a"),
      await tagged(world(), "site", "web"),
      await tagged(world(), "job"),
    ];
    const list = async (filter: object) => {
      const listing = { type: undefined, range: "1d", ...filter } as const;
      const found = await allSlices(world().store.monitors.list(world().organizationId, listing, NOW));
      return found.map(({ id }) => id);
    };
    expect(await list({})).toEqual([a, b, c]);
    expect(await list({ tag: "web" })).toEqual([a, b]);
    expect(await list({ tag: "web", type: "TCP" })).toEqual([b]);
    expect(await list({ tag: "team:a" })).toEqual([a]);
    for (const tag of ["we", "web2", "none"]) expect(await list({ tag })).toEqual([]);
  });

  test("behavior 14.3: results are listed by the present tags of their monitors", async () => {
    const { store, owner, organizationId } = world();
    const job = await tagged(world(), "job", "a");
    await world().checkin(job, "ok");
    await tagged(await world().another(), "job", "a");
    const count = async (tag: string) =>
      (await store.results.listEvents(organizationId, { limit: 9, tag })).items.length;
    expect([await count("a"), await count("b")]).toEqual([1, 0]);
    await store.monitors.update(owner, job, { tags: ["b"] }, NOW);
    expect([await count("a"), await count("b")]).toEqual([0, 1]);
  });

  slow(
    "behavior 16.200, 16.201: reads and the export are of a stretch of time, and only problems",
    async () => {
      const { store, organizationId } = world();
      const [job, site] = [await tagged(world(), "job", "web"), await tagged(world(), "site")];
      const model: { at: number; status: string; isChange: boolean }[] = [];
      for (let turn = 0; turn < 24; turn++) {
        const at = NOW + turn * 5 * HOUR;
        const isGood = turn % 8 < 5;
        await world().checkin(job, isGood ? "ok" : "fail", at);
        await world().up(site, { at: at + 1 });
        model.unshift({
          at,
          status: isGood ? "ok" : "failed",
          isChange: turn === 0 || [5, 0].includes(turn % 8),
        });
      }
      const from = NOW + DAY;
      const stretches = [{}, { from }, { to: from }, { from, to: from + 50 * HOUR }, { from, to: from + 1 }];
      for (const stretch of stretches)
        for (const problems of [false, true])
          for (const limit of [2, 50]) {
            const wanted = { ...stretch, problems, limit };
            const expected = model.filter(
              ({ at, status }) =>
                at >= (stretch.from ?? 0) &&
                at < (stretch.to ?? at + 1) &&
                (!problems || status === "failed"),
            );
            const brief = (some: typeof model) => some.map(({ at, status }) => [at, status]);
            const list = async (filter: object) => {
              const found = await allPages((cursor) =>
                store.results.listEvents(organizationId, { ...wanted, ...filter, cursor }),
              );
              return found.map(({ createdAt, status }) => [createdAt, status]);
            };
            const own = await allPages((cursor) =>
              store.results.list(organizationId, { ...wanted, monitorId: job, cursor }),
            );
            expect<unknown[]>(own.map(({ createdAt, status }) => [createdAt, status])).toEqual(
              brief(expected),
            );
            expect<unknown[]>(await list({ tag: "web" })).toEqual(brief(expected));
            expect<unknown[]>(await list({ tag: "web", changes: true })).toEqual(
              brief(expected.filter(({ isChange }) => isChange)),
            );
            const exported = await allSlices(
              store.results.export(organizationId, { ...wanted, monitorId: job }),
            );
            expect<unknown[]>(exported.map(({ createdAt, status }) => [createdAt, status])).toEqual(
              brief(expected.toReversed()),
            );
          }
      expect(
        await store.results.listEvents(organizationId, { limit: 9, status: "ok", problems: true }),
      ).toEqual({
        items: [],
        cursor: null,
      });
    },
  );

  describe("behavior 14.57: changes", () => {
    test("have the status before, also after a suspicion and a pause, and are deleted with their results", async () => {
      const { store, owner, organizationId } = world();
      const values = { name: "m", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
      const { id } = await store.monitors.create(owner, { ...values, confirmations: 1 }, NOW);
      await world().up(id);
      await world().down(id, NOW + 1);
      await world().down(id, NOW + 2);
      await world().up(id, { at: NOW + 3 });
      const changes = async () =>
        (await store.results.listEvents(organizationId, { limit: 9, changes: true })).items.map(
          ({ previousStatus, status, createdAt }) => [createdAt - NOW, previousStatus, status],
        );
      const expected = [
        [3, "down", "up"],
        [2, "up", "down"],
        [0, "unknown", "up"],
      ];
      expect<unknown[]>(await changes()).toEqual(expected);
      expect((await store.results.listEvents(organizationId, { limit: 1 })).items[0]).not.toHaveProperty(
        "previousStatus",
      );
      await store.monitors.delete(organizationId, id);
      expect(await changes()).toEqual([]);
      while (await store.housekeeping.sweepDeletedMonitors());
      expect(await changes()).toEqual([]);
    });

    test("are, with all filters and on pages of any size, what a walk changed", async () => {
      const step = fc.record({ at: fc.nat(3), isGood: fc.boolean(), isPause: fc.nat(5).map((n) => n === 0) });
      const input = { steps: fc.array(step, { maxLength: 30 }), limit: fc.integer({ min: 1, max: 6 }) };
      const walk = fc.asyncProperty(fc.record(input), async ({ steps, limit }) => {
        const own = await world().another();
        const { store, owner, organizationId } = own;
        const kinds = ["job", "site", "job", "site"] as const;
        const tags = [["a"], ["a", "b"], ["b"], []];
        const ids: string[] = [];
        for (const [at, kind] of kinds.entries()) ids.push(await tagged(own, kind, ...(tags[at] ?? [])));
        const present = new Map<string, string>();
        let model: { at: number; monitor: number; status: string; previousStatus: string }[] = [];
        for (const [turn, { at: monitor, isGood, isPause }] of steps.entries()) {
          const [id = "", kind = "job"] = [ids[monitor], kinds[monitor]];
          // A pause keeps the status.
          if (isPause && kind === "job")
            for (const enabled of [false, true])
              await store.monitors.update(owner, id, { enabled }, NOW + turn);
          if (kind === "job") await own.checkin(id, isGood ? "ok" : "fail", NOW + turn);
          else if (isGood) await own.up(id, { at: NOW + turn });
          else await own.down(id, NOW + turn);
          const status = STATUSES[kind][isGood ? "good" : "bad"];
          const previousStatus = present.get(id) ?? "unknown";
          present.set(id, status);
          if (status !== previousStatus) model = [{ at: turn, monitor, status, previousStatus }, ...model];
        }
        for (const type of [undefined, "SCHEDULED", "TCP"] as const)
          for (const status of [undefined, "failed", "up"] as const)
            for (const tag of [undefined, "a", "b", "none"]) {
              const filter = { type, status, tag, changes: true };
              const found = await allPages((cursor) =>
                store.results.listEvents(organizationId, { ...filter, limit, cursor }),
              );
              const expected = model.filter(
                (one) =>
                  (type === undefined || (kinds[one.monitor] === "job") === (type === "SCHEDULED")) &&
                  (status === undefined || one.status === status) &&
                  (tag === undefined || tags[one.monitor]?.includes(tag)),
              );
              const seen = found.map(({ createdAt, monitorId, ...rest }) => {
                const { status, previousStatus } = rest;
                return { at: createdAt - NOW, monitor: ids.indexOf(monitorId), status, previousStatus };
              });
              expect<unknown[]>(seen).toEqual(expected);
            }
      });
      await fc.assert(walk, { numRuns: walks(8) });
    });
  });
});

async function tagged({ store, owner }: World, kind: "job" | "site", ...tags: string[]): Promise<string> {
  const job = { name: "job", type: "SCHEDULED", config: { interval: 300 } } as const;
  const site = { name: "site", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
  return (await store.monitors.create(owner, { ...(kind === "job" ? job : site), tags }, NOW)).id;
}

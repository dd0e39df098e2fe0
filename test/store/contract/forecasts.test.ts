import { beforeEach, describe, expect, test } from "bun:test";
import type { NewAlertBinding } from "../../../src/domain/alerts/alert-binding.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, MINUTE, NOW } from "./world.ts";

const iso = (time: number) => new Date(time).toISOString();
/** Hours of each day that begin at the time of a moment, and last an hour, in UTC. */
const hoursAt = (time: number, outside: "hold" | "drop" = "hold") => ({
  ...{ timezone: "UTC", outside },
  windows: [
    {
      days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as ("mon" | "tue")[],
      ...{ from: iso(time).slice(11, 16), to: iso(time + HOUR).slice(11, 16) },
    },
  ],
});

contractSuite("forecasts", (world) => {
  /** On call from NOW on for an hour, then the next one. */
  let ana: { id: string; channel: string };
  let schedule: string;

  async function person(name: string) {
    const { store, organizationId } = world();
    const given = { organizationId, email: `${name}@example.com`, role: "viewer", name } as const;
    const { id } = await store.people.create({ ...given, token: `${name} ${organizationId}` }, NOW);
    const channel = await world().channel({ name: `${name}'s` });
    await store.people.update(organizationId, id, { alertChannelIds: [channel] });
    return { id, channel };
  }

  beforeEach(async () => {
    const ben = await person("ben");
    ana = await person("ana");
    const layers = [{ personIds: [ana.id, ben.id], every: 3600, startsAt: iso(NOW) }];
    const { schedules } = world().store;
    schedule = (await schedules.create(world().organizationId, { name: "Ops", layers }, NOW)).id;
  });

  async function bound(...alertBindings: NewAlertBinding[]): Promise<string> {
    const job = { name: "job", type: "SCHEDULED", config: { interval: 300 }, alertBindings } as const;
    return (await world().store.monitors.create(world().owner, job, NOW)).id;
  }

  const forecast = (id: string, now: number) =>
    world().store.monitors.forecastAlerts(world().organizationId, id, now);

  /** A line for each receiver: its name, the minutes until it is notified, why, and whom a schedule notifies. */
  async function foreseen(id: string, now: number): Promise<string[]> {
    const { receivers } = await forecast(id, now);
    return receivers.map(({ name, at, why, person: who, channels, areDefaults, isSchedule }) =>
      [
        ...[name, at === null ? "never" : (at - now) / MINUTE, why ?? "at once"],
        ...(isSchedule ? [who ?? "nobody", `[${channels}]`, ...(areDefaults ? ["default"] : [])] : []),
      ].join(" "),
    );
  }

  /** Who is notified of trouble that begins at a moment, by the minute in which it is, for a time. */
  async function happened(id: string, from: number, minutes: number): Promise<string[]> {
    const lines: string[] = [];
    await world().checkin(id, "fail", from);
    for (let minute = 0; minute <= minutes; minute++) {
      const now = from + minute * MINUTE;
      await world().store.alertReviews.review(now, 100);
      for (const one of (await world().due(now)).filter((due) => transitionOf(due).status === "failed")) {
        lines.push(`${one.channel.id} ${minute}`);
        await world().attempt(one, { outcome: "delivered" }, now);
      }
    }
    return lines.sort();
  }

  describe("behavior 23.45: who would be notified if a monitor failed now", () => {
    test("is whom the deliveries notify, when they do", async () => {
      const now = NOW + 55 * MINUTE;
      const [team, lead, night] = [
        await world().channel({ name: "team" }),
        await world().channel({ name: "lead" }),
        await world().channel({ name: "night" }),
      ];
      const job = await bound(
        { alertChannelId: night, hours: hoursAt(now + 20 * MINUTE) },
        { alertChannelId: team },
        { alertChannelId: lead, after: 600 },
        { scheduleId: schedule, after: 480 },
      );
      expect(await foreseen(job, now)).toEqual([
        "team 0 at once",
        "Ops 8 delay ben [ben's]",
        "lead 10 delay",
        "night 20 hours",
      ]);
      expect(await foreseen(job, NOW)).toContain("Ops 8 delay ana [ana's]");
      const ids = new Map(
        (await world().store.channels.list(world().organizationId)).map(({ id, name }) => [name, id]),
      );
      const expected = ["team 0", "ben's 8", "lead 10", "night 20"].map((line) => {
        const [name = "", minute] = line.split(" ");
        return `${ids.get(name)} ${minute}`;
      });
      expect(await happened(job, now, 25)).toEqual(expected.sort());
    });

    test("is not who does not list it, is disabled, or has hours that drop it", async () => {
      const late = await world().channel({ name: "late" });
      const job = await bound(
        { alertChannelId: late, hours: hoursAt(NOW + HOUR, "drop") },
        { alertChannelId: await world().channel({ name: "off", enabled: false }) },
        { alertChannelId: await world().channel({ name: "warnings", notifyOn: ["warning"] }) },
      );
      expect(await foreseen(job, NOW)).toEqual([
        "late never hours",
        "off never disabled",
        "warnings never notifyOn",
      ]);
      expect(await happened(job, NOW, 5)).toEqual([]);
    });

    test("is each channel once, and the default channels if a schedule reaches nobody", async () => {
      const job = await bound({ alertChannelId: ana.channel }, { scheduleId: schedule, after: 60 });
      expect(await foreseen(job, NOW)).toEqual(["ana's 0 at once", "Ops never twice ana []"]);
      const { store, organizationId } = world();
      await store.people.update(organizationId, ana.id, { alertChannelIds: [] });
      const other = await bound({ scheduleId: schedule });
      expect(await foreseen(other, NOW)).toEqual(["Ops never nobody ana []"]);
      expect(await foreseen(other, NOW - 1)).toEqual(["Ops never nobody nobody []"]);
      await world().setDefaults(await world().channel({ name: "default" }));
      expect(await foreseen(other, NOW)).toEqual(["Ops 0 at once ana [default] default"]);
      expect(await foreseen(other, NOW - 1)).toEqual(["Ops 0 at once nobody [default] default"]);
    });

    test("is nobody while it is paused, or depends on one that is down, and later after a maintenance", async () => {
      const { store, organizationId, owner } = world();
      const team = await world().channel({ name: "team" });
      const parent = await world().site();
      const id = await bound({ alertChannelId: team });
      await store.monitors.update(owner, id, { dependsOn: [parent] }, NOW);
      const window = { startsAt: iso(NOW - MINUTE), endsAt: iso(NOW + 5 * MINUTE) };
      await store.maintenances.create(
        organizationId,
        { title: "Update", selector: { monitorIds: [id] }, ...window },
        NOW,
      );
      expect(await foreseen(id, NOW)).toEqual(["team 5 maintenance"]);
      await world().down(parent, NOW + HOUR);
      expect(await foreseen(id, NOW + HOUR)).toEqual(["team never muted"]);
      expect((await forecast(id, NOW + HOUR)).receivers).toMatchObject([
        { mutedBy: parent, mutedByName: "site" },
      ]);
      await store.monitors.update(owner, id, { enabled: false }, NOW + HOUR);
      expect(await foreseen(id, NOW + HOUR)).toEqual(["team never paused"]);
    });

    test("while it has trouble: who was notified, who is if it lasts, and nobody else after an acknowledgement", async () => {
      const { store, organizationId } = world();
      const [team, lead] = [await world().channel({ name: "team" }), await world().channel({ name: "lead" })];
      const job = await bound({ alertChannelId: team }, { alertChannelId: lead, after: 600 });
      expect((await forecast(job, NOW)).outageId).toBeNull();
      await happened(job, NOW, 2);
      const { outageId } = await forecast(job, NOW + 2 * MINUTE);
      expect(outageId).toBeString();
      expect(await foreseen(job, NOW + 2 * MINUTE)).toEqual(["lead 8 delay", "team never notified"]);
      const ada = { by: "Ada", note: null };
      await store.outages.acknowledge(organizationId, outageId ?? "", ada, NOW + 3 * MINUTE);
      await store.alertReviews.review(NOW + DAY, 100);
      expect(await foreseen(job, NOW + 4 * MINUTE)).toEqual([
        "team never notified",
        "lead never acknowledged",
      ]);
    });

    test("is known in its organization only", async () => {
      const job = await bound();
      const { organizationId } = await world().another();
      expect(world().store.monitors.forecastAlerts(organizationId, job, NOW)).rejects.toThrow("Not found");
      expect(await foreseen(job, NOW)).toEqual([]);
    });
  });
});

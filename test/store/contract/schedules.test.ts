import { describe, expect, test } from "bun:test";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, NOW, type World } from "./world.ts";

const iso = (time: number) => new Date(time).toISOString();

contractSuite("schedules", (world) => {
  const schedules = () => world().store.schedules;

  async function personIn(own: World, name: string) {
    const given = {
      organizationId: own.organizationId,
      email: `${name}@example.com`,
      role: "viewer",
    } as const;
    const { id } = await own.store.people.create(
      { ...given, name, token: `${name} ${own.organizationId}` },
      NOW,
    );
    return id;
  }

  const layersOf = (...personIds: string[]) => [{ personIds, every: "week" as const, startsAt: iso(NOW) }];
  const create = (personId: string, own = world()) =>
    schedules().create(own.organizationId, { name: "Ops", layers: layersOf(personId) }, NOW);

  describe("behavior 23.26: a schedule", () => {
    test("is in its organization only, and names only people of it", async () => {
      const other = await world().another();
      const [ana, foreign] = [await personIn(world(), "ana"), await personIn(other, "bob")];
      const one = await create(ana);
      const { organizationId } = world();
      expect(await schedules().list(organizationId)).toEqual([one]);
      expect(await schedules().find(organizationId, one.id)).toEqual(one);
      expect(await schedules().list(other.organizationId)).toEqual([]);
      expect(schedules().find(other.organizationId, one.id)).rejects.toThrow("Not found");
      expect(schedules().delete(other.organizationId, one.id)).rejects.toThrow("Not found");
      expect(create(foreign)).rejects.toThrow("layers.0.personIds.0 is not a person of this organization");
      const later = await schedules().update(organizationId, one.id, { timezone: "Asia/Tokyo" }, NOW + 1);
      expect(later).toEqual({ ...one, timezone: "Asia/Tokyo", updatedAt: NOW + 1 });
      const again = await schedules().createOrReplace(
        organizationId,
        { name: "Ops", layers: layersOf(ana), ref: "ops" },
        NOW,
      );
      expect([again.isNew, again.schedule.ref]).toEqual([true, "ops"]);
      expect(await schedules().delete(organizationId, one.id)).toEqual({ id: one.id });
      expect(await schedules().list(organizationId)).toEqual([again.schedule]);
    });

    test("has the people of its organization, also a disabled one", async () => {
      const ana = await personIn(world(), "ana");
      const { id } = await create(ana);
      const { organizationId, store } = world();
      await store.people.update(organizationId, ana, { state: "disabled" });
      const { people, schedule } = await schedules().findRostered(organizationId, id);
      expect(people).toEqual([{ id: ana, name: "ana", isDisabled: true }]);
      expect(schedule.layers[0]?.personIds).toEqual([ana]);
    });
  });

  test("behavior 23.29: overrides are in the order of their start, and gone with their person", async () => {
    const [ana, ben] = [await personIn(world(), "ana"), await personIn(world(), "ben")];
    const { organizationId, store } = world();
    const { id: scheduleId } = await create(ana);
    const place = { organizationId, scheduleId };
    const between = (from: number) => ({ startsAt: iso(NOW + from), endsAt: iso(NOW + from + HOUR) });
    const later = await schedules().createOverride(place, { personId: ben, ...between(HOUR) }, NOW);
    const sooner = await schedules().createOverride(place, { personId: ana, ...between(0) }, NOW);
    expect((await schedules().find(organizationId, scheduleId)).overrides).toEqual([sooner, later]);
    expect(await schedules().findOverride({ ...place, id: later.id })).toEqual(later);
    await store.people.delete(organizationId, ben);
    expect((await schedules().find(organizationId, scheduleId)).overrides).toEqual([sooner]);
    await schedules().deleteOverride({ ...place, id: sooner.id }, NOW);
    expect(schedules().deleteOverride({ ...place, id: sooner.id }, NOW)).rejects.toThrow("Not found");
    expect((await schedules().find(organizationId, scheduleId)).overrides).toEqual([]);
  });

  test("behavior 23.29: those that ended long ago make room", async () => {
    const ana = await personIn(world(), "ana");
    const { organizationId } = world();
    const { id: scheduleId } = await create(ana);
    const request = { personId: ana, startsAt: iso(NOW), endsAt: iso(NOW + HOUR) };
    await schedules().createOverride({ organizationId, scheduleId }, request, NOW);
    const now = NOW + 366 * DAY;
    const kept = await schedules().createOverride(
      { organizationId, scheduleId },
      { personId: ana, startsAt: iso(now), endsAt: iso(now + HOUR) },
      now,
    );
    expect((await schedules().find(organizationId, scheduleId)).overrides).toEqual([kept]);
  });

  test("behavior 23.33: a calendar is found by its last token", async () => {
    const { id } = await create(await personIn(world(), "ana"));
    const { organizationId } = world();
    await schedules().setCalendarToken({ organizationId, id, token: "first" }, NOW);
    await schedules().setCalendarToken({ organizationId, id, token: "second" }, NOW);
    expect(schedules().findByCalendar("first")).rejects.toThrow("Not found");
    expect((await schedules().findByCalendar("second")).schedule.id).toBe(id);
  });

  test("behavior 23.34: a person has channels of their own in each organization", async () => {
    const other = await world().another();
    const { store, organizationId } = world();
    const ana = await personIn(world(), "ana");
    await personIn(other, "ana");
    const [own, theirs] = [await world().channel(), await other.channel()];
    const set = (at: World, alertChannelIds: string[]) =>
      store.people.update(at.organizationId, ana, { alertChannelIds });
    expect((await set(world(), [own])).alertChannelIds).toEqual([own]);
    expect(set(world(), [theirs])).rejects.toThrow("alertChannelIds.0 is not an alert channel");
    expect((await set(other, [theirs])).alertChannelIds).toEqual([theirs]);
    expect((await store.people.find(organizationId, ana)).alertChannelIds).toEqual([own]);
    await store.people.delete(organizationId, ana);
    expect((await store.people.find(other.organizationId, ana)).alertChannelIds).toEqual([theirs]);
  });

  test("behavior 23.39: a bound schedule that reaches nobody is listed, with who is on call", async () => {
    const ana = await personIn(world(), "ana");
    const { store, organizationId, owner } = world();
    const { id: scheduleId } = await create(ana);
    const listed = (now: number, of?: string) => schedules().listUnreached(now, of);
    expect(await listed(NOW)).toEqual([]);
    const job = { name: "job", type: "SCHEDULED", config: { interval: 300 } } as const;
    await store.monitors.create(owner, { ...job, alertBindings: [{ scheduleId }] }, NOW);
    const ops = { schedule: "Ops", person: "ana", hasDefaults: false };
    expect(await listed(NOW, organizationId)).toEqual([ops]);
    expect(await listed(NOW, (await world().another()).organizationId)).toEqual([]);
    const channel = await world().channel();
    await world().setDefaults(channel);
    expect(await listed(NOW - 1)).toEqual([{ ...ops, person: null, hasDefaults: true }]);
    await store.people.update(organizationId, ana, { alertChannelIds: [channel] });
    expect(await listed(NOW)).toEqual([]);
    await store.channels.update(organizationId, channel, { enabled: false }, NOW);
    expect(await listed(NOW)).toEqual([ops]);
  });
});

import type { Store } from "../../../src/store/store.ts";
import type { Ledger, SimOnCall, SimOverride, SimSchedule } from "../ledger.ts";
import type { Operated, Routes } from "./operator.ts";

const iso = (at: number) => new Date(at).toISOString();

/** Creates the people and schedules of a scenario, after its channels. */
export async function createOnCall(
  store: Store,
  { people, schedules, defaults }: SimOnCall,
  { organizationId, ledger, now }: { organizationId: string; ledger: Ledger; now: number },
): Promise<void> {
  await store.organizations.updateSettings(organizationId, {
    defaultAlertChannelIds: channelIdsOf(defaults, ledger),
  });
  for (const { name, channels, isDisabled } of people) {
    const given = { organizationId, email: `${name}@example.com`, role: "viewer", name } as const;
    const { id } = await store.people.create({ ...given, token: name }, now);
    await store.people.update(organizationId, id, {
      alertChannelIds: channelIdsOf(channels, ledger),
      ...(isDisabled && { state: "disabled" }),
    });
    ledger.personIds.set(name, id);
  }
  for (const { name, timezone, layers, overrides } of schedules) {
    const requested = { name, timezone, layers: layersOf(layers, ledger) };
    const { id } = await store.schedules.create(organizationId, requested, now);
    ledger.scheduleIds.set(name, id);
    for (const override of overrides)
      await store.schedules.createOverride(
        { organizationId, scheduleId: id },
        overrideOf(override, ledger),
        now,
      );
  }
}

function channelIdsOf(names: readonly string[], { channelIds }: Pick<Ledger, "channelIds">): string[] {
  return names.map((name) => channelIds.get(name) ?? "");
}

function layersOf(layers: SimSchedule["layers"], { personIds }: Pick<Ledger, "personIds">) {
  return layers.map(({ people, startsAt, ...layer }) => {
    return { ...layer, personIds: people.map((name) => personIds.get(name) ?? ""), startsAt: iso(startsAt) };
  });
}

function overrideOf(
  { person, startsAt, endsAt }: SimOverride,
  { personIds }: Pick<Ledger, "personIds">,
): { personId: string; startsAt: string; endsAt: string } {
  return { personId: personIds.get(person) ?? "", startsAt: iso(startsAt), endsAt: iso(endsAt) };
}

type OnCallKind =
  | "disable person"
  | "enable person"
  | "delete person"
  | "own channels"
  | "change layers"
  | "create override"
  | "delete override";

/** The requests that change people and schedules. */
export const onCallRoutes: Pick<Routes, OnCallKind> = {
  "disable person": ({ person }, parts) => updatePerson(person, { state: "disabled" }, parts),
  "enable person": ({ person }, parts) => updatePerson(person, { state: "active" }, parts),
  "own channels": ({ person, channels }, parts) =>
    updatePerson(person, { alertChannelIds: channelIdsOf(channels, parts.ledger) }, parts),
  async "delete person"({ person }, { store, organizationId, ledger }) {
    await store.people.delete(organizationId, ledger.personIds.get(person) ?? "");
    return true;
  },
  async "change layers"({ schedule, layers }, { store, organizationId, ledger, now }) {
    const id = ledger.scheduleIds.get(schedule) ?? "";
    await store.schedules.update(organizationId, id, { layers: layersOf(layers, ledger) }, now());
    return true;
  },
  async "create override"({ schedule, override }, parts) {
    const { store, organizationId, ledger, now } = parts;
    // The answer to the first attempt may be lost.
    if (parts.isRepeated && (await overrideIdOf(schedule, override, parts))) return true;
    const scheduleId = ledger.scheduleIds.get(schedule) ?? "";
    await store.schedules.createOverride({ organizationId, scheduleId }, overrideOf(override, ledger), now());
    return true;
  },
  async "delete override"({ schedule, override }, parts) {
    const { store, organizationId, ledger, now } = parts;
    const id = await overrideIdOf(schedule, override, parts);
    const scheduleId = ledger.scheduleIds.get(schedule) ?? "";
    if (id) await store.schedules.deleteOverride({ organizationId, scheduleId, id }, now());
    return id !== undefined || parts.isRepeated;
  },
};

async function updatePerson(
  person: string,
  changes: Parameters<Store["people"]["update"]>[2],
  { store, organizationId, ledger }: Operated,
): Promise<boolean> {
  await store.people.update(organizationId, ledger.personIds.get(person) ?? "", changes);
  return true;
}

async function overrideIdOf(
  schedule: string,
  override: SimOverride,
  { store, organizationId, ledger }: Operated,
): Promise<string | undefined> {
  const { overrides } = await store.schedules.find(organizationId, ledger.scheduleIds.get(schedule) ?? "");
  const personId = ledger.personIds.get(override.person);
  return overrides.find(
    (one) =>
      one.personId === personId && one.startsAt === override.startsAt && one.endsAt === override.endsAt,
  )?.id;
}

import type { Store } from "../../../src/store/store.ts";
import type { Ledger, SimOnCall } from "../ledger.ts";

/** Creates the people and schedules of a scenario, after its channels. @returns the IDs of the schedules by their names */
export async function createOnCall(
  store: Store,
  { people, schedules, defaults }: SimOnCall,
  { organizationId, ledger, now }: { organizationId: string; ledger: Ledger; now: number },
): Promise<Map<string, string>> {
  const idsOf = (names: readonly string[]) => names.map((name) => ledger.channelIds.get(name) ?? "");
  await store.organizations.updateSettings(organizationId, { defaultAlertChannelIds: idsOf(defaults) });
  const personIds = new Map<string, string>();
  for (const { name, channels, isDisabled } of people) {
    const given = { organizationId, email: `${name}@example.com`, role: "viewer", name } as const;
    const { id } = await store.people.create({ ...given, token: name }, now);
    await store.people.update(organizationId, id, {
      alertChannelIds: idsOf(channels),
      ...(isDisabled && { state: "disabled" }),
    });
    personIds.set(name, id);
  }
  const idOf = (person: string) => personIds.get(person) ?? "";
  const iso = (at: number) => new Date(at).toISOString();
  const scheduleIds = new Map<string, string>();
  for (const { name, timezone, layers, overrides } of schedules) {
    const requested = layers.map(({ people, startsAt, ...layer }) => {
      return { ...layer, personIds: people.map(idOf), startsAt: iso(startsAt) };
    });
    const { id } = await store.schedules.create(organizationId, { name, timezone, layers: requested }, now);
    for (const { person, startsAt, endsAt } of overrides)
      await store.schedules.createOverride(
        { organizationId, scheduleId: id },
        { personId: idOf(person), startsAt: iso(startsAt), endsAt: iso(endsAt) },
        now,
      );
    scheduleIds.set(name, id);
  }
  return scheduleIds;
}

import { ancestorsOf } from "../monitors/dependencies.ts";
import { emailKey } from "../people/person.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { isDiscovered } from "../schemas/format.ts";
import { type Fault, MAX_FAULTS } from "./history.ts";
import type { ParsedDocument } from "./parse-monitor.ts";
import type { Deletion } from "./plan.ts";
import {
  type Key,
  keyOf,
  keysById,
  nameOfSection,
  type Section,
  type StoredConfiguration,
} from "./stored-configuration.ts";

/** A ref in an entry. @property path where it is */
interface Reference {
  section: "channels" | "schedules" | "monitors";
  ref: string;
  path: string;
}

/** The refs that name nothing, or what is deleted, and the IDs that are no locations (behavior 16.23). */
export function referenceFaults(
  document: ParsedDocument,
  stored: StoredConfiguration,
  deletions: readonly Deletion[],
): Fault[] {
  const deleted = new Set(deletions.map(({ kind, ref }) => `${kind}s.${ref}`));
  const known = {
    schedules: knownRefs(document, stored, "schedules"),
    channels: knownRefs(document, stored, "channels"),
    monitors: knownRefs(document, stored, "monitors"),
  };
  const faults = referencesOf(document).flatMap(({ section, ref, path }): Fault[] => {
    const name = nameOfSection[section];
    if (!known[section].has(ref)) return [{ path, message: `is not the ref of ${name}`, got: ref }];
    if (!deleted.has(`${section}.${ref}`)) return [];
    return [
      { path, message: `is the ref of ${name} that is deleted, because the document lacks it`, got: ref },
    ];
  });
  return [
    ...faults,
    ...locationFaults(document, stored),
    ...personFaults(document, stored),
    ...usedScheduleFaults(stored, deletions),
    ...reportChannelFaults(document, stored),
  ];
}

/** The channels of reports that are not of the type EMAIL (behavior 23.70). */
function reportChannelFaults({ reports, channels }: ParsedDocument, stored: StoredConfiguration): Fault[] {
  const typeOf = (ref: string) =>
    channels.get(ref)?.type ?? stored.channels.find((channel) => channel.ref === ref)?.type ?? "EMAIL";
  return [...reports].flatMap(([name, { channelIds }]) =>
    (channelIds ?? []).flatMap((ref, index) => {
      const type = typeOf(ref);
      if (type === "EMAIL") return [];
      const path = `${fieldOf("reports", name)}.channelIds.${index}`;
      return [{ path, message: `must be an EMAIL channel, got ${type}` }];
    }),
  );
}

/** A schedule that bindings use can't be deleted (behavior 23.35). Monitors with a ref of a document are in it, or deleted too. */
function usedScheduleFaults({ monitors }: StoredConfiguration, deletions: readonly Deletion[]): Fault[] {
  const schedules = deletions.filter(({ kind }) => kind === "schedule");
  if (schedules.length === 0) return [];
  const usedBy = (isUser: (ref: string | null) => boolean) =>
    new Set(
      monitors
        .flatMap(({ ref, alertBindings }) => (isUser(ref) ? alertBindings : []))
        .map(({ scheduleId }) => scheduleId),
    );
  const [unnamed, discovered] = [usedBy((ref) => ref === null), usedBy((ref) => isDiscovered(ref ?? ""))];
  return schedules.flatMap(({ id, ref }) => {
    if (!unnamed.has(id) && !discovered.has(id)) return [];
    const user = unnamed.has(id) ? "a monitor without a ref" : "a discovered monitor";
    return [{ path: fieldOf("schedules", ref), message: `can't be deleted: ${user} uses it` }];
  });
}

function knownRefs({ refs }: ParsedDocument, stored: StoredConfiguration, section: Section): Set<string> {
  const known = new Set(refs[section]);
  for (const { ref } of stored[section]) if (ref !== null) known.add(ref);
  return known;
}

function referencesOf({ monitors, maintenances, pages, reports }: ParsedDocument): Reference[] {
  return [
    ...[...monitors].flatMap(([name, { bindings, bindingsField, dependsOn }]) => {
      const at = fieldOf("monitors", name);
      const bound = (bindings ?? []).map(({ channel: ref, isSchedule }, index): Reference => {
        const field = isSchedule ? ".scheduleId" : ".alertChannelId";
        const inBinding = bindingsField === "alertBindings" ? field : "";
        const section = isSchedule ? "schedules" : "channels";
        return { section, ref, path: `${at}.${bindingsField}.${index}${inBinding}` };
      });
      return [...bound, ...listed(dependsOn, "monitors", `${at}.dependsOn`)];
    }),
    ...[...maintenances].flatMap(([name, { selector, notifyChannelIds }]) => {
      const at = fieldOf("maintenances", name);
      return [
        ...listed(selector.monitorIds ?? [], "monitors", `${at}.selector.monitorIds`),
        ...listed(notifyChannelIds, "channels", `${at}.notifyChannelIds`),
      ];
    }),
    ...[...reports].flatMap(([name, { selector, channelIds }]) => {
      const at = fieldOf("reports", name);
      return [
        ...listed(selector.monitorIds ?? [], "monitors", `${at}.selector.monitorIds`),
        ...listed(channelIds ?? [], "channels", `${at}.channelIds`),
      ];
    }),
    ...[...pages].flatMap(([name, { components }]) =>
      components.map(({ monitor: ref }, index): Reference => {
        return { section: "monitors", ref, path: `${fieldOf("pages", name)}.components.${index}.monitorId` };
      }),
    ),
  ];
}

function listed(refs: readonly string[], section: Reference["section"], at: string): Reference[] {
  return refs.map((ref, index) => ({ section, ref, path: `${at}.${index}` }));
}

function locationFaults({ monitors }: ParsedDocument, { locationIds }: StoredConfiguration): Fault[] {
  const known = new Set(locationIds);
  return [...monitors].flatMap(([name, { locations }]) =>
    locations.flatMap((id, index) => {
      const path = `${fieldOf("monitors", name)}.locations.${index}`;
      return known.has(id)
        ? []
        : [{ path, message: "is not the ID of a location of the organization", got: id }];
    }),
  );
}

/** The people of layers that are not in the organization. */
function personFaults({ schedules }: ParsedDocument, { people }: StoredConfiguration): Fault[] {
  const known = new Set(people.map(({ email }) => emailKey(email)));
  return [...schedules].flatMap(([name, { layers }]) =>
    layers.flatMap(({ personIds }, layer) =>
      personIds.flatMap((email, index): Fault[] => {
        if (known.has(emailKey(email))) return [];
        const path = `${fieldOf("schedules", name)}.layers.${layer}.personIds.${index}`;
        return [{ path, message: "is not the e-mail address of a person of the organization", got: email }];
      }),
    ),
  );
}

/** The entries of `dependsOn` by which a monitor would depend on itself, also through monitors that the document lacks. */
export function cycleFaults(
  document: ParsedDocument,
  stored: StoredConfiguration,
  deletions: readonly Deletion[],
): Fault[] {
  const parents = dependenciesAfter(document, stored, deletions);
  const resolved = new Set(parentsFirst(parents));
  if (resolved.size === parents.size) return [];
  const numbers = new Map([...parents.keys()].map((key, index) => [key, index]));
  const numberOf = (key: Key) => numbers.get(key) ?? -1;
  const graph = new Map([...parents].map(([key, keys]) => [numberOf(key), keys.map(numberOf)]));
  const faults: Fault[] = [];
  for (const [ref, { dependsOn }] of document.monitors) {
    if (resolved.has(ref)) continue;
    for (const [index, parent] of dependsOn.entries()) {
      const path = `${fieldOf("monitors", ref)}.dependsOn.${index}`;
      if (faults.length === MAX_FAULTS) return faults;
      if (parent === ref) faults.push({ path, message: "must be another monitor" });
      else if (ancestorsOf(graph, numberOf(parent)).includes(numberOf(ref)))
        faults.push({ path, message: "must not depend on this monitor itself", got: parent });
    }
  }
  return faults;
}

/** The keys of what each monitor of an organization depends on after the apply. */
function dependenciesAfter(
  { monitors }: ParsedDocument,
  stored: StoredConfiguration,
  deletions: readonly Deletion[],
): Map<Key, Key[]> {
  const keys = keysById(stored.monitors);
  const deleted = new Set(deletions.map(({ id }) => id));
  const parents = new Map<Key, Key[]>();
  for (const monitor of stored.monitors)
    if (!deleted.has(monitor.id))
      parents.set(
        keyOf(monitor),
        monitor.dependsOn.flatMap((id) => keys.get(id) ?? []),
      );
  for (const [ref, { dependsOn }] of monitors) parents.set(ref, [...dependsOn]);
  return parents;
}

/**
 * Monitors in topological order, dependencies first. Cycles and their dependents are left out.
 */
function parentsFirst(parents: ReadonlyMap<Key, readonly Key[]>): Key[] {
  const children = new Map<Key, Key[]>([...parents.keys()].map((key) => [key, []]));
  const waitsFor = new Map<Key, number>();
  for (const [key, keys] of parents) {
    const known = keys.filter((parent) => parents.has(parent));
    waitsFor.set(key, known.length);
    for (const parent of known) children.get(parent)?.push(key);
  }
  const order = [...waitsFor].flatMap(([key, count]) => (count === 0 ? [key] : []));
  // The list grows while it is read.
  for (const key of order) {
    for (const child of children.get(key) ?? []) {
      const left = (waitsFor.get(child) ?? 0) - 1;
      waitsFor.set(child, left);
      if (left === 0) order.push(child);
    }
  }
  return order;
}

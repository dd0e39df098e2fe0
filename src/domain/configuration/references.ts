import { fieldOf } from "../schemas/field-name.ts";
import type { Section } from "./document.ts";
import type { Fault } from "./fault.ts";
import type { ParsedDocument } from "./parsed-document.ts";
import type { Deletion } from "./plan.ts";
import { nameOfSection, type StoredConfiguration } from "./stored-configuration.ts";

/** A ref in an entry. @property path where it is */
interface Reference {
  section: "channels" | "monitors";
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
  return [...faults, ...locationFaults(document, stored)];
}

function knownRefs({ refs }: ParsedDocument, stored: StoredConfiguration, section: Section): Set<string> {
  const known = new Set(refs[section]);
  for (const { ref } of stored[section]) if (ref !== null) known.add(ref);
  return known;
}

function referencesOf({ monitors, maintenances, pages }: ParsedDocument): Reference[] {
  return [
    ...[...monitors].flatMap(([name, { bindings, bindingsField, dependsOn }]) => {
      const at = fieldOf("monitors", name);
      const inBinding = bindingsField === "alertBindings" ? ".alertChannelId" : "";
      const bound = (bindings ?? []).map(({ channel: ref }, index): Reference => {
        return { section: "channels", ref, path: `${at}.${bindingsField}.${index}${inBinding}` };
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

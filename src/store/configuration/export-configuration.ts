import { type Export, exportDocument } from "../../domain/configuration/export-document.ts";
import { kindOf, type ObjectKind } from "../../domain/configuration/plan.ts";
import { proposeRefs } from "../../domain/configuration/ref-names.ts";
import { SECTIONS, type Section } from "../../domain/configuration/stored-configuration.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { auditAll, updateOf } from "../audit/audit.ts";
import type { Tx } from "../tx.ts";
import { readConfiguration } from "./read-configuration.ts";

/** The document for what exists (behavior 16.50). @param now milliseconds since 1970 @throws AppError `not_found` */
export async function exportConfiguration(tx: Tx, organizationId: string, now: number): Promise<Export> {
  return exportDocument(await readConfiguration(tx, { organizationId }, now));
}

/** An object that got a ref. */
export interface NamedByRef {
  kind: ObjectKind;
  id: string;
  ref: string;
}

/**
 * Gives each object without a ref the one under which the document for what exists has it (behavior 16.52).
 *
 * @param now milliseconds since 1970
 * @throws AppError `not_found`
 */
export async function storeRefs(tx: Tx, organizationId: string, now: number): Promise<NamedByRef[]> {
  const stored = await readConfiguration(tx, { organizationId }, now);
  const refs = proposeRefs(stored);
  const pk = await organizationPk(tx, organizationId);
  const all: NamedByRef[] = [];
  for (const section of SECTIONS) {
    const objects: readonly Nameless[] = stored[section];
    const nameless = objects.filter(({ ref }) => ref === null);
    const given = nameless.map((object) => ({ ...object, ref: refs[section].get(object.id) ?? "" }));
    await setRefs(tx, section, { given, now });
    const changes = given.map(({ id, name, title }) =>
      updateOf({ organizationPk: pk, type: kindOf[section], id, name: name ?? title ?? "" }, ["ref"]),
    );
    await auditAll(tx, changes);
    for (const { id, ref } of given) all.push({ kind: kindOf[section], id, ref });
  }
  return all;
}

interface Nameless {
  id: string;
  ref: string | null;
  name?: string;
  title?: string;
}

async function setRefs(
  { sets, tables }: Tx,
  section: Section,
  { given, now }: { given: readonly { id: string; ref: string }[]; now: number },
): Promise<void> {
  const { alertChannels: channels, monitors, maintenances, pages } = tables;
  const table = { channels, monitors, maintenances, pages }[section];
  await sets.update(
    table,
    given.map(({ id, ref }) => ({ where: { id }, set: { ref, updatedAt: now } })),
  );
}

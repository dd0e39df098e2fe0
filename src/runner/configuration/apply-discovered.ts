import type { Clock } from "../../clock.ts";
import type { Author } from "../../domain/accounts/audit.ts";
import { FaultsError } from "../../domain/configuration/history.ts";
import type { Origin } from "../../domain/configuration/parse-document.ts";
import { faultsByEntry, type Missing } from "../../domain/discovery/plan-discovered.ts";
import { omit } from "../../domain/pick.ts";
import type { DiscoveredDocument, DiscoveredOutcome, Store } from "../../store/store.ts";

/** Throws if this server refuses a config of a document, or its registrations can't be looked up: see `applyDocument`. */
type Confirm = (organizationId: string, document: unknown, origin: Origin) => Promise<void>;

/**
 * Applies what sources ask for to an organization, in the name of discovery (behavior 28.14). An entry with faults is left out.
 *
 * @param wake called after changes: monitors may be due, and alerts may have to be sent
 * @throws FaultsError with faults that are of no entry; AppError `no_subscription`, `not_found`
 */
export async function applyDiscovered(
  {
    store,
    clock,
    confirm,
    wake,
  }: { store: Pick<Store, "as">; clock: Pick<Clock, "now">; confirm: Confirm; wake: () => void },
  organizationId: string,
  { document, missing }: { document: DiscoveredDocument; missing: Missing },
): Promise<DiscoveredOutcome> {
  const refused = await refusedEntries(document, (given) => confirm(organizationId, given, "discovery"));
  const there = (refs: readonly string[]) => refs.filter((ref) => !(ref in document.monitors));
  const now = clock.now();
  const author: Author = { actor: { type: "cli", id: null, name: "discovery" }, address: null, at: now };
  const { changes, faults } = await store
    .as(author)
    .discovery.apply(
      organizationId,
      without(document, refused),
      { gone: there(missing.gone), deleted: there(missing.deleted) },
      now,
    );
  if (changes.length > 0) wake();
  const others = [...refused].map(([entry, message]) => ({ entry, message }));
  return { changes, faults: [...others, ...faults] };
}

/** The entries that are not confirmed, with the reason. @throws FaultsError for what is of no entry */
async function refusedEntries(
  document: DiscoveredDocument,
  confirm: (document: DiscoveredDocument) => Promise<void>,
): Promise<Map<string, string>> {
  const refused = new Map<string, string>();
  for (;;) {
    try {
      await confirm(without(document, refused));
      return refused;
    } catch (error) {
      if (!(error instanceof FaultsError)) throw error;
      const left = Object.keys(document.monitors).filter((ref) => !refused.has(ref));
      for (const [ref, message] of faultsByEntry(error.faults, left)) refused.set(ref, message);
    }
  }
}

function without(document: DiscoveredDocument, refs: ReadonlyMap<string, unknown>): DiscoveredDocument {
  return { ...document, monitors: omit(document.monitors, [...refs.keys()]) };
}

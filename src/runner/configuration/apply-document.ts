import type { Clock } from "../../clock.ts";
import type { Author } from "../../domain/accounts/audit.ts";
import { userName } from "../../process-user.ts";
import { chosenOrganization } from "../../store/accounts/chosen-organization.ts";
import type { Store } from "../../store/store.ts";
import { patiently } from "../patience.ts";

/**
 * Applies documents in the name of the user of this process, without pruning. While the database fails, it tries again: several
 * nodes may apply a large document at the same time, and wait for each other.
 *
 * @param organizationId optional while there is exactly one
 * @param wake called after changes: monitors may be due, and alerts may have to be sent
 * @returns a function that returns how many changes it made
 */
export function applyDocument({
  store,
  clock,
  organizationId: given,
  wake,
}: {
  store: Pick<Store, "as" | "organizations">;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  organizationId: string | undefined;
  wake: () => void;
}): (document: unknown) => Promise<number> {
  async function applyOnce(document: unknown): Promise<number> {
    const now = clock.now();
    const author: Author = { actor: { type: "cli", id: null, name: userName() }, address: null, at: now };
    const organizationId = await chosenOrganization(store, { flag: "--config-org", given });
    const { configuration } = store.as(author);
    const options = { prune: "none", isDryRun: false } as const;
    const { changes } = await configuration.apply(organizationId, document, options, now);
    if (changes.length > 0) wake();
    return changes.length;
  }

  return (document) => patiently(clock, () => applyOnce(document));
}

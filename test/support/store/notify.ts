import type { LocationNotice } from "../../../src/domain/alerts/alert-event.ts";
import { organizationPk } from "../../../src/store/accounts/organizations.ts";
import { createNotices } from "../../../src/store/alerting/notices.ts";
import type { Tx } from "../../../src/store/tx.ts";

/** Where a notice is created, which the store only does together with other changes. */
export interface NoticeTarget {
  write(work: (tx: Tx) => Promise<void>): Promise<void>;
  organization: { id: string; name: string };
}

/** Creates the deliveries of a notice about a location. */
export function createNotice(
  { write, organization: { id, name } }: NoticeTarget,
  type: LocationNotice["type"],
  at: number,
): Promise<void> {
  const location = { id: "l1", name: "fra", lastSeenAt: at - 60_000 };
  const event = { type, organization: { id, name }, location, at };
  return write(async (tx) => createNotices(tx, { organizationPk: await organizationPk(tx, id), event }, at));
}

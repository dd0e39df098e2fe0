import type { Tx } from "../tx.ts";

/** An event of a location that the default channels of its organization are notified of. */
interface LocationNotice {
  type: "location.silent" | "location.connected";
  organization: { id: string; name: string };
  location: { id: string; name: string; lastSeenAt: number | null };
  /** Milliseconds since 1970. */
  at: number;
}

/** Creates a delivery for each enabled default channel of an organization, within the transaction of the event. */
export async function createNotices(
  _tx: Tx,
  _notice: { organizationPk: number; event: LocationNotice },
  _now: number,
): Promise<void> {}

import { and, count, eq } from "drizzle-orm";
import { organizationPk } from "../accounts/organizations.ts";
import type { Database } from "../sqlite/open.ts";
import { alertChannels, deliveries } from "../sqlite/schema.ts";
import { isPending } from "./delivery-cancellation.ts";

/** How many deliveries to the channels of an organization are pending. */
export async function countWaiting(db: Database, organizationId: string): Promise<number> {
  const [row] = db
    .select({ waiting: count() })
    .from(alertChannels)
    .innerJoin(deliveries, and(eq(deliveries.channelPk, alertChannels.pk), isPending))
    .where(eq(alertChannels.organizationPk, organizationPk(db, organizationId)))
    .all();
  return row?.waiting ?? 0;
}

import {
  type AlertOutcome,
  type ChannelOutcome,
  type StoredDeliveryStatus,
  shownStatus,
  summarizeOutcome,
} from "../../domain/alerts/delivery.ts";
import type { Hold } from "../../domain/alerts/hold.ts";
import { CHANNEL_DELETED } from "../alerts/delivery-cancellation.ts";

/** A delivery. @property existingChannel null if its channel was deleted */
export type DeliveryRow = Omit<ChannelOutcome, "status" | "mutedBy"> & {
  resultPk: number;
  existingChannel: number | null;
  status: StoredDeliveryStatus;
  hold: Hold | null;
};

/** The outcome of the alerts of some results, by the number of the result. @param rows in the order of their numbers */
export function summarizeOutcomes(rows: DeliveryRow[]): Map<number, AlertOutcome> {
  const byResult = Map.groupBy(
    rows.filter(({ status }) => status !== "hidden"),
    ({ resultPk }) => resultPk,
  );
  return new Map([...byResult].map(([pk, group]) => [pk, summarizeOutcome(group.map(toOutcome))]));
}

/** What is pending, held or muted for a deleted channel counts as failed, also before it is marked as failed (behavior 14.28). */
function toOutcome({ resultPk: _, existingChannel, hold, ...row }: DeliveryRow): ChannelOutcome {
  const status = shownStatus(row.status);
  if (existingChannel === null && (status === "pending" || status === "muted"))
    return { ...row, status: "failed", error: CHANNEL_DELETED };
  return { ...row, status, ...(hold && "by" in hold && hold.by && { mutedBy: hold.by }) };
}

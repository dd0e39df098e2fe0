import type { AlertOutcome } from "../data/api.ts";

type Status = AlertOutcome["status"];
type ChannelOutcome = AlertOutcome["channels"][number];

export const outcomeLabels: Record<Status, string> = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
  partial: "Partly delivered",
  muted: "Muted",
  withdrawn: "Withdrawn",
};

/**
 * What happened to the notification of one channel, in words that follow its type (behavior 14.97).
 *
 * @param cause the name of the monitor that mutes it; undefined if that monitor is deleted
 */
export function describeChannelOutcome(
  { status, attempts, error }: Pick<ChannelOutcome, "status" | "attempts" | "error">,
  cause?: string,
): string {
  const failure = error === null ? "" : ` – ${error}`;
  switch (status) {
    case "muted":
      return `not sent, because ${cause ?? "a monitor that this one depends on"} is down`;
    case "withdrawn":
      return "not sent, because the trouble was over, acknowledged or different before that";
    case "pending":
      return attempts === 0 ? "not sent yet" : `not delivered yet (${attempts}×)${failure}`;
    default:
      return `${outcomeLabels[status].toLowerCase()} (${attempts}×)${failure}`;
  }
}

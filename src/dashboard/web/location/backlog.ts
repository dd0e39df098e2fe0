import { LARGEST_BATCH } from "../../../domain/locations/protocol.ts";
import type { Location } from "../data/api.ts";
import { formatCount } from "../ui/numbers.ts";

/** Results that a probe could not send, in words. Empty without any: a connected one always has a few under way. */
export function describeBacklog({
  state,
  waiting,
  dropped,
}: Pick<Location, "state" | "waiting" | "dropped">): string {
  const isUsual = state === "connected" && waiting <= LARGEST_BATCH;
  const parts = [
    waiting > 0 &&
      !isUsual &&
      `${formatCount(waiting, "result")} ${waiting === 1 ? "waits" : "wait"} to be sent`,
    dropped > 0 && `${formatCount(dropped, "result")} became too old to be sent`,
  ];
  return parts.filter(Boolean).join(" · ");
}

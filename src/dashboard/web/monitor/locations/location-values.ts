import type { DownWhen } from "../../../../domain/locations/location.ts";
import type { Placement } from "../../../../domain/locations/placement.ts";
import { checkedValues } from "../../form/form-values.ts";
import { HERE } from "../../location/location-label.ts";

/** What a new monitor has. Repeated for the same reason as `HERE`. */
export const ONLY_HERE: Placement = { locations: [HERE], downWhen: "majority" };

/**
 * The values of the form. Nothing if it does not offer locations.
 *
 * @param stored the locations before, whose order stays, because their slots depend on it
 */
export function chosenOf(data: FormData, stored: string[] = []): Partial<Placement> {
  const text = data.get("downWhen");
  if (text === null) return {};
  const checked = checkedValues(data, "locations");
  const kept = stored.filter((id) => checked.includes(id));
  const downWhen = /^\d+$/.test(String(text)) ? Number(text) : (text as DownWhen);
  return { locations: [...kept, ...checked.filter((id) => !kept.includes(id))], downWhen };
}

/** The values that the form offers for `downWhen`. @param count how many locations check the monitor */
export function offeredVotes(count: number, stored: DownWhen): DownWhen[] {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  // 1 is the same as "any", and the count is the same as "all".
  const offered = numbers.filter((votes) => votes === stored || (votes > 1 && votes < count));
  return ["majority", "any", "all", ...offered];
}

export function describeVotes(votes: DownWhen): string {
  if (votes === "majority") return "More than half of the locations";
  if (votes === "any") return "Any location";
  if (votes === "all") return "All locations";
  return votes === 1 ? "At least 1 location" : `At least ${votes} locations`;
}

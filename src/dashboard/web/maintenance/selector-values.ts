import type { Selector } from "../../../domain/monitors/selector.ts";
import { tagsIn } from "../data/tags.ts";
import { checkedValues } from "../form/form-values.ts";

/** The monitors that are chosen in the form; without a part if none is. */
export function selectorIn(data: FormData): Selector {
  const tags = tagsIn(data.get("selector.tags"));
  const monitorIds = checkedValues(data, "selector.monitorIds");
  return {
    ...(data.has("selector.all") && { all: true as const }),
    ...(tags.length > 0 && { tags }),
    ...(monitorIds.length > 0 && { monitorIds }),
  };
}

/** A sentence of the API if no monitor is selected. */
export function selectorFaults(selector: object): string[] {
  const isEmpty = Object.keys(selector).length === 0;
  return isEmpty ? ["selector select all monitors, a tag or a single monitor"] : [];
}

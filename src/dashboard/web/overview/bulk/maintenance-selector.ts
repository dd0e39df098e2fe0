import type { BulkSelector } from "../../../../domain/monitors/bulk/bulk-request.ts";
import type { Selector } from "../../../../domain/monitors/selector.ts";

/** The selector of a maintenance for the same monitors; undefined if it needs their IDs. */
export function directSelector({ matching, ...selector }: BulkSelector): Selector | undefined {
  if (!matching) return selector;
  const { tags = [], ...others } = matching;
  return tags.length === 1 && Object.keys(others).length === 0 ? { tags } : undefined;
}

/** The parameters of a search for the monitors that match. */
export function filtersOf({ matching: { tags = [], ...others } = {} }: BulkSelector) {
  return { ...others, ...(tags.length > 0 && { tag: tags.join(",") }) };
}

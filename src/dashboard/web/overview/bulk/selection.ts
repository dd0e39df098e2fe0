import type { BulkSelector } from "../../../../domain/monitors/bulk/bulk-request.ts";
import type { Filters } from "../../../../domain/overview/selection.ts";
import type { SaidFault } from "../../../../domain/schemas/validation.ts";
import { pageFault } from "../../form/page-fault.ts";
import { listOf, plural, texts } from "../../languages/texts.ts";
import { formatNumber } from "../../ui/numbers.ts";
import { requestedFilters } from "../select-monitors.ts";

/**
 * The monitors that the reader has selected.
 *
 * @property matching filters whose monitors are all selected, also those that the page does not know; then `ids` is empty
 */
export interface Selected {
  ids: ReadonlySet<string>;
  matching?: Filters;
}

export const NOTHING: Selected = { ids: new Set() };

/** @param id of a monitor that is in the list */
export function isSelected({ ids, matching }: Selected, id: string): boolean {
  return matching !== undefined || ids.has(id);
}

interface Click {
  id: string;
  /** The monitor of the click before, if this click selects all up to there. */
  from?: string | undefined;
  /** The list. */
  shown: readonly string[];
}

/** After a click on a check box: the whole span gets its new state. */
export function afterClick(before: Selected, { id, from = id, shown }: Click): Selected {
  const isOn = !isSelected(before, id);
  const ids = new Set(before.matching ? shown : before.ids);
  for (const one of spanOf(shown, from, id)) {
    if (isOn) ids.add(one);
    else ids.delete(one);
  }
  return { ids };
}

/** All monitors from `from` to `to`, in either direction. Only `to`, if `from` is no longer in the list. */
function spanOf(shown: readonly string[], from: string, to: string): readonly string[] {
  const [start, end] = [shown.indexOf(from), shown.indexOf(to)].sort((a, b) => a - b);
  return start === undefined || end === undefined || start < 0 ? [to] : shown.slice(start, end + 1);
}

/** Without monitors that no longer exist. The same object if all exist. */
export function among(before: Selected, known: ReadonlySet<string>): Selected {
  const ids = new Set([...before.ids].filter((id) => known.has(id)));
  return ids.size === before.ids.size ? before : { ...before, ids };
}

/** The selected monitors as the API names them. */
export function selectorOf({ ids, matching }: Selected): BulkSelector {
  if (!matching) return { monitorIds: [...ids] };
  const filters = {
    ...requestedFilters(matching),
    ...(matching.tags.length > 0 && { tags: [...matching.tags] }),
  };
  return Object.keys(filters).length > 0 ? { matching: filters } : { all: true };
}

/** The selected monitors, for the rows of a long list: each renders again only if its own state changes. */
export class Selection {
  /** The IDs of the list, in its order. */
  shown: readonly string[] = [];
  #selected = NOTHING;
  #latest: string | undefined;
  readonly #listeners = new Set<() => void>();

  readonly current = (): Selected => this.#selected;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(selected: Selected): void {
    if (selected === this.#selected) return;
    this.#selected = selected;
    for (const listener of this.#listeners) listener();
  }

  /** @param isSpan whether all monitors from the latest click to this one are meant */
  click(id: string, isSpan: boolean): void {
    const from = isSpan ? this.#latest : undefined;
    this.#latest = id;
    this.set(afterClick(this.#selected, { id, from, shown: this.shown }));
  }
}

/** How many monitors a sentence names. */
const MAX_NAMES = 3;

/** Such as `web, shop, mail and 9 others`. @param names the first ones, as far as they are known @param count how many there are */
export function listNames(names: readonly string[], count: number): string {
  const shown = names.slice(0, MAX_NAMES);
  const rest = count - shown.length;
  if (shown.length === 0) return plural(texts.bulk.unnamed, count);
  return listOf(rest === 0 ? shown : [...shown, plural(texts.bulk.others, rest)]);
}

/** The answer to a change of many monitors. */
interface Outcome {
  matched: number;
  changedCount: number;
  changed: readonly { name: string }[];
  refusedCount: number;
}

/** The outcome of a change in sentences, before it is made. */
export function describePreview(
  { matched, changedCount, changed, refusedCount }: Outcome,
  will: "changes" | "deletes" = "changes",
): string {
  const { preview } = texts.bulk;
  const names = listNames(
    changed.map(({ name }) => name),
    changedCount,
  );
  const same = matched - changedCount - refusedCount;
  const sentences = [
    changedCount > 0 ? plural(preview[will], changedCount, { names }) : preview.nothing,
    same > 0 && plural(preview.same, same),
    refusedCount > 0 && plural(preview.refused, refusedCount),
  ];
  return sentences.filter(Boolean).join(" ");
}

/** The outcome of a change that was made. */
export function describeOutcome(
  change: keyof typeof texts.bulk.changes,
  { changedCount, refusedCount }: Outcome,
): string {
  const done = plural(texts.bulk.changes[change].done, changedCount);
  return refusedCount > 0 ? `${done} ${plural(texts.bulk.refused, refusedCount)}` : done;
}

/** From so many on, a deletion asks for their number. */
const MANY = 11;

/** @returns the errors of the number that the reader typed to confirm a deletion */
export function deletionFaults(typed: string, matched: number): SaidFault[] {
  if (!asksForNumber(matched) || [String(matched), digitsOf(formatNumber(matched))].includes(digitsOf(typed)))
    return [];
  return [pageFault("confirmedNumber", "typed", { number: formatNumber(matched) })];
}

/** Without what the reader's language writes between them. */
function digitsOf(text: string): string {
  return text.replaceAll(/[\s,.'’٬]/g, "");
}

export function asksForNumber(matched: number): boolean {
  return matched >= MANY;
}

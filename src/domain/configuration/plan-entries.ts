import { AppError } from "../../errors.ts";
import { parseChannelConfig } from "../alerts/channel.ts";
import type { Page } from "../pages/page.ts";
import { PAGE_SETTINGS } from "../pages/page-request.ts";
import { pick } from "../pick.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { assertSameType } from "../schemas/ref.ts";
import { asFault, type Fault } from "./fault.ts";
import { changedFieldsOf } from "./field-names.ts";
import type { ParsedChannel, ParsedDocument } from "./parsed-document.ts";
import type { Deletion, PlannedChannel, PlannedPage, Step } from "./plan.ts";
import {
  byRef,
  type Key,
  keysById,
  type StoredChannel,
  type StoredConfiguration,
} from "./stored-configuration.ts";

export function planChannels(
  { channels }: ParsedDocument,
  stored: StoredConfiguration,
): { steps: Step<PlannedChannel>[]; faults: Fault[] } {
  const known = byRef(stored.channels);
  const [steps, faults]: [Step<PlannedChannel>[], Fault[]] = [[], []];
  for (const [ref, entry] of channels) {
    try {
      const step = planChannel(ref, entry, known.get(ref));
      if (step) steps.push(step);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(asFault(error, fieldOf("channels", ref)));
    }
  }
  return { steps, faults };
}

/** @returns undefined if nothing changes @throws AppError `invalid` for another type, or for a secret that is not stored */
function planChannel(
  ref: string,
  entry: ParsedChannel,
  before: StoredChannel | undefined,
): Step<PlannedChannel> | undefined {
  if (before) assertSameType(before.type, entry.type);
  const values = { ...entry, config: parseChannelConfig(entry.type, entry.config, before?.config) };
  if (!before) return { ref, id: null, fields: entry.given, values };
  const fields = changedFieldsOf<Compared>(pick(before, COMPARED), pick(values, COMPARED));
  return fields.length > 0 ? { ref, id: before.id, fields, values } : undefined;
}

const COMPARED = ["name", "config", "enabled", "notifyOn"] as const;
type Compared = Pick<PlannedChannel, (typeof COMPARED)[number]>;

export function planPages(
  { pages }: ParsedDocument,
  stored: StoredConfiguration,
  deletions: readonly Deletion[],
): { steps: Step<PlannedPage>[]; faults: Fault[] } {
  const known = byRef(stored.pages);
  const keys = keysById(stored.monitors);
  const steps = [...pages].flatMap(([ref, values]): Step<PlannedPage>[] => {
    const before = known.get(ref);
    if (!before) return [{ ref, id: null, fields: values.given, values }];
    const fields = changedFieldsOf(comparable(asPlanned(before, keys)), comparable(values));
    return fields.length > 0 ? [{ ref, id: before.id, fields, values }] : [];
  });
  return { steps, faults: slugFaults({ pages }, stored, deletions) };
}

/** Slugs that two pages would have: entries of the document, pages that it does not name, and pages of other organizations. */
function slugFaults(
  { pages }: Pick<ParsedDocument, "pages">,
  stored: StoredConfiguration,
  deletions: readonly Deletion[],
): Fault[] {
  const deleted = new Set(deletions.map(({ id }) => id));
  const taken = new Set(stored.foreignSlugs);
  for (const { id, ref, slug } of stored.pages) {
    const isPlanned = ref !== null && pages.has(ref);
    if (!isPlanned && !deleted.has(id)) taken.add(slug);
  }
  return [...pages].flatMap(([ref, { slug }]): Fault[] => {
    const path = `${fieldOf("pages", ref)}.slug`;
    if (taken.has(slug)) return [{ path, message: "is taken: it must be unique on this server", got: slug }];
    taken.add(slug);
    return [];
  });
}

type Comparable = Omit<PlannedPage, "given">;

/** A stored page with keys in place of IDs. */
function asPlanned({ components, ...page }: Page, keys: ReadonlyMap<string, Key>): Comparable {
  return {
    ...page,
    components: components.map(({ monitorId, name, group }) => {
      return { monitor: keys.get(monitorId) ?? "", name, group };
    }),
  };
}

/** The fields under the names of the API. */
function comparable(page: Comparable) {
  return pick(page, ["slug", "title", ...PAGE_SETTINGS, "components"]);
}

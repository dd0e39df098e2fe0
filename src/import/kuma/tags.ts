import { MAX_TAGS } from "../../domain/monitors/tags.ts";
import { named } from "../left.ts";
import type { Report } from "../report.ts";
import { tagOf } from "../tags.ts";
import { groupedBy, idOf, type KumaData, type Row, textOf } from "./data.ts";
import type { Groups } from "./groups.ts";

/** The tags of each monitor: those of its groups, and its own as `name` or `name:value` (behavior 16.99). */
export function createTags(
  { tags, monitorTags }: Pick<KumaData, "tags" | "monitorTags">,
  { groups, report }: { groups: Groups; report: Report },
): (monitor: Row) => string[] {
  const names = new Map(tags.map((tag) => [idOf(tag), textOf(tag, "name")]));
  const used = groupedBy(monitorTags, "monitor_id");
  return (monitor) => {
    const what = (part: string) => named("monitor", textOf(monitor, "name"), part);
    const own = (used.get(idOf(monitor) ?? Number.NaN) ?? []).flatMap((use) => {
      const name = names.get(idOf(use, "tag_id")) ?? "";
      const value = textOf(use, "value");
      const tag = tagOf(value === "" ? name : `${name}:${value}`.slice(0, LONGEST));
      if (tag === undefined) report.leave(what(named("tag", name)), "a tag has letters, digits and : _ . -");
      return tag ?? [];
    });
    const all = [...new Set([...groups.tagsOf(monitor), ...own])];
    if (all.length > MAX_TAGS) report.leave(what("tags"), `a monitor has at most ${MAX_TAGS} tags`);
    return all.slice(0, MAX_TAGS);
  };
}

/** Characters of a name that are read. */
const LONGEST = 500;

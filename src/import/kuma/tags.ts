import { createRefNames } from "../../domain/configuration/ref-names.ts";
import { MAX_TAGS } from "../../domain/monitors/tags.ts";
import { named, type Report } from "../imported.ts";
import { tagOf } from "../tags.ts";
import { flagOf, groupedBy, idOf, type KumaData, type Row, textIn } from "./data.ts";

/** The tags of each monitor: first the tags of its groups, then its own as `name` or `name:value` (behavior 16.99). */
export function createTags(
  { tags, monitorTags }: Pick<KumaData, "tags" | "monitorTags">,
  { groups, report }: { groups: Groups; report: Report },
): (monitor: Row) => string[] {
  const names = new Map(tags.map((tag) => [idOf(tag), textIn(tag, "name")]));
  const used = groupedBy(monitorTags, "monitor_id");
  return (monitor) => {
    const what = (part: string) => named("monitor", textIn(monitor, "name"), part);
    const own = (used.get(idOf(monitor)) ?? []).flatMap((use) => {
      const name = names.get(idOf(use, "tag_id")) ?? "";
      const value = textIn(use, "value");
      const tag = tagOf(value === "" ? name : `${name}:${value}`.slice(0, MAX));
      if (tag === undefined) report.omit(what(named("tag", name)), "a tag has letters, digits and : _ . -");
      return tag ?? [];
    });
    const all = [...new Set([...groups.tagsOf(monitor), ...own])];
    if (all.length > MAX_TAGS) report.omit(what("tags"), `a monitor has at most ${MAX_TAGS} tags`);
    return all.slice(0, MAX_TAGS);
  };
}

/** Characters of a name that are read. */
const MAX = 500;

/** Groups of Uptime Kuma are monitors that others name as their parent. Here each is a tag of the monitors in it. */
export interface Groups {
  /** The tags of the groups that a monitor is in, the outermost first. */
  tagsOf(monitor: Row): string[];
  /** The tag of a group; undefined for another monitor. */
  tagOf(id: number | undefined): string | undefined;
  /** Whether a group that the monitor is in is paused, so that the monitor is not checked. */
  isPaused(monitor: Row): boolean;
}

/** More than a monitor can have tags. Also bounds the search in parents that are a cycle. */
const DEEPEST = 20;

const MAX_GROUP = 30;
const MAX_TAG = 50;

export function createGroups(monitors: readonly Row[]): Groups {
  const rows = monitors.filter((row) => idOf(row) !== undefined && textIn(row, "type") === "group");
  const groups = new Map(rows.map((row) => [idOf(row), row]));
  const refOf = createRefNames("group");
  const tags = new Map(
    [...groups].map(([id, row]) => [id, tagFor(refOf(textIn(row, "name").slice(0, MAX_GROUP)))]),
  );
  const tagOf = (id: number | undefined) => tags.get(id);
  const around = (monitor: Row) => ancestors(monitor, groups);
  return {
    tagOf,
    tagsOf: (monitor) => around(monitor).flatMap((group) => tagOf(idOf(group)) ?? []),
    isPaused: (monitor) => around(monitor).some((group) => !flagOf(group, "active", true)),
  };
}

function tagFor(ref: string): string {
  return `group:${ref}`.slice(0, MAX_TAG);
}

/** The groups around a monitor, the outermost first. */
function ancestors(monitor: Row, groups: ReadonlyMap<number | undefined, Row>): Row[] {
  const found: Row[] = [];
  for (let at = groups.get(idOf(monitor, "parent")); at && found.length < DEEPEST; ) {
    if (found.includes(at)) break;
    found.unshift(at);
    at = groups.get(idOf(at, "parent"));
  }
  return found;
}

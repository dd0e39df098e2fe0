import { createRefNames } from "../../domain/configuration/placeholder.ts";
import { named, type Report, tagsOf } from "../imported.ts";
import { flagOf, groupedBy, idOf, type KumaData, type Row, textIn } from "./fields.ts";

/** The tags of each monitor: first the tags of its groups, then its own as `name` or `name:value` (behavior 16.99). */
export function createTags(
  { tags, monitorTags }: Pick<KumaData, "tags" | "monitorTags">,
  { groups, report }: { groups: Groups; report: Report },
): (monitor: Row) => string[] {
  const names = new Map(tags.map((tag) => [idOf(tag), textIn(tag, "name")]));
  const used = groupedBy(monitorTags, "monitor_id");
  return (monitor) => {
    const own = (used.get(idOf(monitor)) ?? []).map((use) => {
      const name = names.get(idOf(use, "tag_id")) ?? "";
      const value = textIn(use, "value");
      return value === "" ? name : `${name}:${value}`.slice(0, MAX);
    });
    const what = named("monitor", textIn(monitor, "name"));
    return tagsOf([...groups.tagsOf(monitor), ...own], { what, report });
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

import { createRefNames } from "../../domain/configuration/ref-names.ts";
import { flagOf, idOf, type Row, textOf } from "./data.ts";

/** Groups of Uptime Kuma are monitors that others name as their parent. Here each is a tag of the monitors in it. */
export interface Groups {
  /** The tags of the groups that a monitor is in, the outermost first. */
  tagsOf(monitor: Row): string[];
  /** The tag of a group; undefined for another monitor. */
  tagOf(id: number): string | undefined;
  /** Whether a group that the monitor is in is paused, so that the monitor is not checked. */
  isPaused(monitor: Row): boolean;
}

/** More than a monitor can have tags. Also bounds the search in parents that are a cycle. */
const DEEPEST = 20;

const LONGEST_NAME = 30;
const LONGEST_TAG = 50;

export function createGroups(monitors: readonly Row[]): Groups {
  const groups = new Map<number, Row>();
  for (const row of monitors) {
    const id = idOf(row);
    if (id !== undefined && textOf(row, "type") === "group") groups.set(id, row);
  }
  const refOf = createRefNames("group");
  const tags = new Map(
    [...groups].map(([id, row]) => [id, tagFor(refOf(textOf(row, "name").slice(0, LONGEST_NAME)))]),
  );
  const tagOf = (id: number) => tags.get(id);
  const around = (monitor: Row) => ancestors(monitor, groups);
  return {
    tagOf,
    tagsOf: (monitor) => around(monitor).flatMap((group) => tagOf(idOf(group) ?? Number.NaN) ?? []),
    isPaused: (monitor) => around(monitor).some((group) => !flagOf(group, "active", true)),
  };
}

function tagFor(ref: string): string {
  return `group:${ref}`.slice(0, LONGEST_TAG);
}

/** The groups around a monitor, the outermost first. */
function ancestors(monitor: Row, groups: ReadonlyMap<number, Row>): Row[] {
  const found: Row[] = [];
  for (let at = groups.get(idOf(monitor, "parent") ?? Number.NaN); at && found.length < DEEPEST; ) {
    if (found.includes(at)) break;
    found.unshift(at);
    at = groups.get(idOf(at, "parent") ?? Number.NaN);
  }
  return found;
}

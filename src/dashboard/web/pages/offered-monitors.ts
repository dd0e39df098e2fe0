import { byName } from "../../../domain/monitors/display-state.ts";

interface Named {
  id: string;
  name: string;
  tags: readonly string[];
}

/** Of more monitors than this, none is offered before the reader has entered a text: to sort them takes long. */
const MOST_LISTED = 500;

/** The monitors that are not on the page yet and whose name or one of whose tags contains a text, by name. */
export function offeredMonitors<Monitor extends Named>(
  monitors: readonly Monitor[],
  text: string,
  used: ReadonlySet<string>,
): Monitor[] {
  const needle = text.trim().toLowerCase();
  if (needle === "" && monitors.length > MOST_LISTED) return [];
  return monitors
    .filter(({ id }) => !used.has(id))
    .filter(({ name, tags }) => [name, ...tags].some((one) => one.toLowerCase().includes(needle)))
    .sort(byName);
}

import { NewPage } from "../../../domain/pages/page-request.ts";
import { faults } from "../../../domain/schemas/validation.ts";
import { isGroup, type Layout } from "./layout/page-layout.ts";
import type { pageIn } from "./page-values.ts";

/** All errors of the values in the form, as sentences of the API. @param layout what the components of the values are from */
export function pageFaults(values: ReturnType<typeof pageIn>, layout: Layout): string[] {
  const { days, minOutage } = values;
  return [
    ...(days === undefined ? ["days is required"] : []),
    ...(minOutage === undefined ? ["minOutage is required"] : []),
    ...faults(NewPage, values, "").filter((sentence) => !isRepeated(sentence, layout)),
    ...repeatedGroups(layout),
  ];
}

/** The positions of the first components of all groups in the list of components. */
export function groupPositions(layout: Layout): Map<string, number> {
  const positions = new Map<string, number>();
  let at = 0;
  for (const entry of layout) {
    if (isGroup(entry) && entry.components.length > 0) positions.set(entry.key, at);
    at += isGroup(entry) ? entry.components.length : 1;
  }
  return positions;
}

/** Whether a sentence is about the name of a group, and not at its first component, where its field is. */
function isRepeated(sentence: string, layout: Layout): boolean {
  const [, at] = /^components\.(\d+)\.group /.exec(sentence) ?? [];
  return at !== undefined && ![...groupPositions(layout).values()].includes(Number(at));
}

/** Groups of one name are one group on the page. */
function repeatedGroups(layout: Layout): string[] {
  const positions = groupPositions(layout);
  const groups = layout.filter(isGroup).filter(({ key, name }) => positions.has(key) && name.trim() !== "");
  return groups
    .filter(({ name }, at) => groups.findIndex((one) => one.name.trim() === name.trim()) < at)
    .map(({ key }) => `components.${positions.get(key)}.group must differ from the names of other groups`);
}

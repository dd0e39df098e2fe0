import type { Component } from "./page.ts";
import type { ComponentRequest } from "./page-request.ts";

/**
 * The components of a request that replaces a page in full (behavior 16.7): one without an ID gets that of the stored component
 * of the same monitor. If there are several, the one with the same name and group is preferred, then the first.
 */
export function withStoredIds(
  requested: readonly ComponentRequest[],
  stored: readonly Component[],
): ComponentRequest[] {
  const named = new Set(requested.map(({ id }) => id));
  const free = new Set(stored.filter(({ id }) => !named.has(id)));
  const take = (isMatch: (component: Component) => boolean): string | undefined => {
    const match = [...free].find(isMatch);
    if (match) free.delete(match);
    return match?.id;
  };
  const equal = requested.map(({ id, monitorId, name = null, group = null }) =>
    id === undefined
      ? take((one) => one.monitorId === monitorId && one.name === name && one.group === group)
      : id,
  );
  return requested.map((component, at) => {
    const id = equal[at] ?? take((one) => one.monitorId === component.monitorId);
    return id === undefined ? component : { ...component, id };
  });
}

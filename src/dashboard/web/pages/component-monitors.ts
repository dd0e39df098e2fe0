import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { MonitorSummary } from "../data/api.ts";
import { monitorStatesQuery } from "../data/monitor-lists.ts";

/** The monitors of the components of a page. */
export interface ComponentMonitors {
  byId: ReadonlyMap<string, MonitorSummary>;
  nameOf: (id: string) => string;
}

/** @param ids of the monitors @returns undefined until they are known; the monitor of a new component is known a moment later */
export function useComponentMonitors(ids: readonly string[]) {
  const { data, isPlaceholderData, error } = useQuery(monitorStatesQuery(ids));
  const monitors = useMemo<ComponentMonitors | undefined>(() => {
    if (!data) return undefined;
    const byId = new Map(data.map((one) => [one.id, one]));
    const otherwise = isPlaceholderData ? "…" : "Deleted monitor";
    return { byId, nameOf: (id) => byId.get(id)?.name ?? otherwise };
  }, [data, isPlaceholderData]);
  return { monitors, error };
}

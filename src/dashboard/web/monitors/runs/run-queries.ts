import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ApiError, api, getAnswer, type JobRun } from "../../data/api.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { usePages } from "../../ui/table.tsx";

/** Milliseconds. A start records no result, so that the change feed does not report it. */
const INTERVAL = 5000;

const PAGE = "10";

/** The runs of a job, latest first. @param isNeeded false for a monitor of another type, which has none */
export function useRuns(id: string, isNeeded: boolean) {
  return usePages<JobRun>({
    queryKey: queryKeys.runs(id),
    load: (query) => getAnswer(api.monitors({ id }).runs.get({ query: { limit: PAGE, ...query } })),
    every: INTERVAL,
    isNeeded,
  });
}

export function outputPath(id: string, run: string): string {
  return `/api/v1/monitors/${id}/runs/${run}/output`;
}

export function outputQuery(id: string, { id: run, outputBytes }: JobRun) {
  return queryOptions({
    queryKey: queryKeys.runOutput(id, run, outputBytes),
    queryFn: async () => {
      const response = await fetch(outputPath(id, run));
      if (!response.ok) throw new ApiError(response.status, (await response.json()).error);
      return response.text();
    },
    placeholderData: keepPreviousData,
  });
}

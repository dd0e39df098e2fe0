import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { api, getData, type PageOutage } from "../data/api.ts";
import { useAction } from "../outage/use-action.ts";
import { Failure } from "../ui/failure.tsx";
import { refreshIncidents } from "./incident-queries.ts";
import { describeOutage } from "./incident-words.ts";

interface Props {
  pageId: string;
  names: ReadonlyMap<string, string>;
  outage: Pick<PageOutage, "id" | "isDown" | "componentIds">;
  /** What screen readers hear after the action. */
  label: string;
}

/** Creates an incident in place of an outage, and opens it, so that the reader can write its first update (behavior 15.97). */
export function TurnIntoIncident({ pageId, names, outage, label }: Props) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const { error, busy, run } = useAction();
  const turn = async () => {
    const values = { ...describeOutage(outage, names), outageId: outage.id };
    const { id } = await getData(api.pages({ id: pageId }).incidents.post(values));
    await refreshIncidents(queries);
    navigate(`/pages/${pageId}/incidents/${id}`);
  };
  return (
    <div className="list-row-action">
      <button
        type="button"
        aria-label={`Turn into an incident: ${label}`}
        aria-disabled={busy}
        onClick={() => run(turn)}
      >
        Turn into an incident
      </button>
      <Failure error={error} />
    </div>
  );
}

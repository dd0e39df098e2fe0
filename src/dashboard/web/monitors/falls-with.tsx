import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { api, getData, type MonitorFact } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { rich } from "../languages/rich.tsx";
import { formOf, texts } from "../languages/texts.ts";
import { StatusCell } from "../status/status-mark.tsx";
import { Card } from "../ui/card.tsx";
import { Failure } from "../ui/filters.tsx";
import { monitorFactsQuery } from "./monitor-queries.ts";

/** The other monitors at the address, and with the certificate, of a monitor. Nothing if there are none. */
export function FallsWith({ id }: { id: string }) {
  const { data = [] } = useQuery(monitorFactsQuery(id));
  const shared = data.filter(
    ({ kind, monitorCount }) => (kind === "address" || kind === "certificate") && monitorCount > 1,
  );
  if (shared.length === 0) return null;
  return (
    <Card id="falls-with" title={texts.monitors.fallsWith.title}>
      {shared.map((fact) => (
        <Sharers key={`${fact.kind} ${fact.value}`} id={id} fact={fact} />
      ))}
    </Card>
  );
}

function Sharers({ id, fact: { kind, value, monitorCount } }: { id: string; fact: MonitorFact }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({
    queryKey: queryKeys.sharers(kind, value),
    queryFn: () => getData(api.facts.get({ query: { kind, value } })),
    enabled: isOpen,
  });
  const { address, certificate } = texts.monitors.fallsWith;
  const others = monitorCount - 1;
  return (
    <details className="falls-with" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {rich(formOf(kind === "address" ? address : certificate, others), {
          value: <code>{value}</code>,
          count: others,
        })}
      </summary>
      <Failure error={error} />
      <ul className="falls-with-list">
        {data
          ?.filter((one) => one.id !== id)
          .map(({ id: other, name, status }) => (
            <li key={other}>
              <Link href={`/monitors/${other}`}>{name}</Link>{" "}
              <StatusCell state={displayStateOfStatus(status)} status={status} />
            </li>
          ))}
      </ul>
    </details>
  );
}

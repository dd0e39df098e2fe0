import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Config, Report } from "../data/api.ts";
import { describeRest, entriesOf, locationOf } from "../status/result-detail.ts";
import { Card, Fact } from "../ui/card.tsx";
import { Addresses, addressesIn } from "./addresses.tsx";
import { CertificateFacts, WebsiteCertificate } from "./certificate.tsx";
import { PHASES } from "./latency/phases.ts";
import { recentResultsQuery } from "./monitor-queries.ts";

/** The details of the latest check, for the types that have more than a latency. */
export function LatestCheck({
  tls,
  ...check
}: {
  id: string;
  type: MonitorType;
  tls: Report["tls"] | undefined;
}) {
  return (
    <>
      {tls && check.type === "HTTP" && <WebsiteCertificate tls={tls} />}
      <DetailOfLatest tls={tls} {...check} />
    </>
  );
}

function DetailOfLatest({ id, type, tls }: Parameters<typeof LatestCheck>[0]) {
  const detail = useQuery(recentResultsQuery(id)).data?.[0]?.detail;
  if (!detail) return null;
  const addresses = addressesIn(detail);
  return (
    <>
      <FactsOfType type={type} tls={tls} detail={detail} />
      {addresses.length > 0 && (
        <CheckCard id="addresses" title="Addresses" detail={detail}>
          <Addresses addresses={addresses} detail={detail} />
        </CheckCard>
      )}
    </>
  );
}

function FactsOfType({
  type,
  tls,
  detail,
}: Pick<Parameters<typeof LatestCheck>[0], "type" | "tls"> & { detail: Config }) {
  if (type === "TLS" && typeof detail.validTo === "string") {
    return (
      <CheckCard id="certificate" title="Certificate" detail={detail}>
        <CertificateFacts detail={detail} tls={tls} />
      </CheckCard>
    );
  }
  if (type === "DNS") return <DnsFacts detail={detail} />;
  return type === "HTTP" || type === "TCP" ? <Phases detail={detail} /> : null;
}

interface CardProps {
  id: string;
  title: string;
  detail: Config;
  children: ReactNode;
}

/** Also names the location of the check, because others may see something else. */
function CheckCard({ detail, title, ...card }: CardProps) {
  const location = locationOf(detail);
  const heading = (
    <>
      {title}
      {location && <small className="text-muted"> · {location}</small>}
    </>
  );
  return <Card {...card} title={heading} />;
}

function DnsFacts({ detail }: { detail: Config }) {
  const values = entriesOf(detail, "values");
  const added = entriesOf(detail, "added");
  const others = describeRest(detail, "values");
  const othersGone = describeRest(detail, "gone");
  return (
    <CheckCard id="records" title="Records" detail={detail}>
      <ul className="dns-records">
        {values.map((value) => (
          <li key={value}>
            <code>{value}</code>
            {added.includes(value) && <b className="status-text state-warning"> new</b>}
          </li>
        ))}
        {others && <li>{others}</li>}
        {entriesOf(detail, "gone").map((value) => (
          <li key={`gone ${value}`}>
            <code>
              <s>{value}</s>
            </code>
            <b className="status-text state-down"> gone</b>
          </li>
        ))}
        {othersGone && (
          <li>
            {othersGone}
            <b className="status-text state-down"> gone</b>
          </li>
        )}
      </ul>
      {values.length === 0 && <p>{String(detail.message ?? "No record")}</p>}
    </CheckCard>
  );
}

function Phases({ detail }: { detail: Config }) {
  const phases = (detail.phases ?? {}) as Record<string, number>;
  const shown = PHASES.filter(([name]) => typeof phases[name] === "number");
  if (shown.length === 0) return null;
  return (
    <CheckCard id="phases" title="Latest check" detail={detail}>
      <dl className="facts">
        {shown.map(([name, label]) => (
          <Fact key={name} name={label}>
            {(phases[name] ?? 0).toFixed(1)} ms
          </Fact>
        ))}
        {typeof detail.address === "string" && <Fact name="Address">{detail.address}</Fact>}
      </dl>
    </CheckCard>
  );
}

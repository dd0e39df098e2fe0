import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { faultWords } from "../../../domain/checks/certificate.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Config } from "../data/api.ts";
import { describeRest, entriesOf, listWithRest, locationOf } from "../status/result-detail.ts";
import { Card, Fact } from "../ui/card.tsx";
import { formatExpiry, Time } from "../ui/time.tsx";
import { latestResultQuery } from "./monitor-queries.ts";

/** The details of the latest check, for the types that have more than a latency. */
export function LatestCheck({ id, type }: { id: string; type: MonitorType }) {
  const detail = useQuery(latestResultQuery(id)).data?.detail;
  if (!detail) return null;
  if (type === "TLS" && typeof detail.validTo === "string") return <CertificateFacts detail={detail} />;
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

function CertificateFacts({ detail }: { detail: Config }) {
  const validTo = String(detail.validTo);
  return (
    <CheckCard id="certificate" title="Certificate" detail={detail}>
      <p className="certificate-expiry">{formatExpiry(Date.parse(validTo) - Date.now())}</p>
      <dl className="facts">
        <Fact name="Validity">
          <Time at={String(detail.validFrom)} only="date" /> to <Time at={validTo} only="date" />
        </Fact>
        <Fact name="Verified">
          {detail.authorized ? "yes: chain and name" : `no: ${faultWords(String(detail.authorizationError))}`}
        </Fact>
        <Fact name="Subject">{String(detail.subject)}</Fact>
        <Fact name="Issuer">{String(detail.issuer)}</Fact>
        <Fact name="Names">{listWithRest(detail, "names").join(", ")}</Fact>
        <Fact name="Protocol">{String(detail.protocol ?? "–")}</Fact>
        <Fact name="SHA-256">
          <code className="text-wrap">{String(detail.fingerprint)}</code>
        </Fact>
      </dl>
    </CheckCard>
  );
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

const phaseLabels: [name: string, label: string][] = [
  ["resolve", "Name lookup"],
  ["connect", "Connection"],
  ["tls", "TLS handshake"],
  ["firstByte", "First byte"],
];

function Phases({ detail }: { detail: Config }) {
  const phases = (detail.phases ?? {}) as Record<string, number>;
  const shown = phaseLabels.filter(([name]) => typeof phases[name] === "number");
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

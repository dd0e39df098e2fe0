import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { faultWords } from "../../../domain/checks/certificate.ts";
import type { TlsAdvice } from "../../../domain/checks/observation.ts";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import type { RegistrationDetail } from "../../../domain/registration/registration.ts";
import type { Config, Report } from "../data/api.ts";
import { describeBriefly, describeRest, entriesOf, listOfAll, locationOf } from "../status/result-detail.ts";
import { StatusCell } from "../status/status-mark.tsx";
import { hasSteps, StepTable } from "../status/step-table.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { ScrollableTable } from "../ui/list.tsx";
import { latencyOrDash } from "../ui/numbers.ts";
import { formatExpiry, Time } from "../ui/time.tsx";
import { PHASES } from "./latency/latency-section.tsx";
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
      {hasSteps(detail) && (
        <CheckCard id="steps" title="Steps" detail={detail}>
          <StepTable detail={detail} />
        </CheckCard>
      )}
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
  return type === "TLS" ? null : <Phases detail={detail} />;
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

interface SeenAddress {
  address: string;
  seen: Status;
  reason?: string;
  latencyMs?: number;
}

/** The view of a check at each address of a host (behavior 10.102). @property detail of its result */
function Addresses({ addresses, detail }: { addresses: readonly SeenAddress[]; detail: Config }) {
  const rest = describeRest(detail, "addresses");
  const hasFailure = addresses.some(({ reason }) => reason);
  const more = hasFailure ? [{ number: "Latency" }, "Detail"] : [];
  return (
    <>
      <ScrollableTable label="Table of addresses" columns={["Address", "Status", ...more]}>
        {addresses.map(({ address, seen, reason, latencyMs }) => (
          <tr key={address}>
            <td className="table-long">
              <code>{address}</code>
            </td>
            <td>
              <StatusCell state={displayStateOfStatus(seen)} status={seen} />
            </td>
            {hasFailure && (
              <>
                <td className="table-number">{latencyOrDash(latencyMs)}</td>
                <td className="table-long table-detail">{reason ? describeBriefly({ reason }) : ""}</td>
              </>
            )}
          </tr>
        ))}
      </ScrollableTable>
      {rest && (
        <p className="text-muted">{rest}, not checked: beyond the sixth, or without a route from stillup.</p>
      )}
    </>
  );
}

/** Empty if the check was not one of each address. */
function addressesIn({ addresses }: Config): readonly SeenAddress[] {
  return Array.isArray(addresses) ? addresses : [];
}

type Tls = NonNullable<Report["tls"]>;

/** The certificate of an HTTPS monitor. */
function WebsiteCertificate({ tls }: { tls: Tls }) {
  return (
    <Card id="certificate" title="Certificate">
      <p className="certificate-expiry">{formatExpiry(Date.parse(tls.validTo) - Date.now())}</p>
      <dl className="facts">
        <Fact name="Valid until">
          <Time at={tls.validTo} only="date" />
        </Fact>
        <TlsFacts tls={tls} />
        {tls.client && (
          <Fact name="Client certificate">
            valid until <Time at={tls.client.validTo} only="date" />
          </Fact>
        )}
      </dl>
    </Card>
  );
}

/** The certificate that the latest check of a TLS monitor saw. @property detail of its result */
function CertificateFacts({ detail, tls }: { detail: Config; tls: Tls | null | undefined }) {
  const validTo = String(detail.validTo);
  return (
    <>
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
        <Fact name="Names">{listOfAll(detail, "names")}</Fact>
        {tls ? <TlsFacts tls={tls} /> : <Fact name="Protocol">{String(detail.protocol ?? "–")}</Fact>}
        <Fact name="SHA-256">
          <code className="text-wrap">{String(detail.fingerprint)}</code>
        </Fact>
      </dl>
      {detail.registration !== undefined && <RegistrationFacts detail={detail} />}
    </>
  );
}

/** The registration of the domain, as the latest check knew it. */
function RegistrationFacts({ detail }: { detail: Config }) {
  const { domain, expiresAt, registrar, statuses } = Object(
    detail.registration,
  ) as Partial<RegistrationDetail>;
  return (
    <section aria-labelledby="registration">
      <h3 id="registration">Registration{domain && ` of ${domain}`}</h3>
      {expiresAt === undefined ? (
        <p>
          {detail.reason === "registration" ? String(detail.message) : "The registry has not answered yet."}
        </p>
      ) : (
        <>
          <p className="certificate-expiry">{formatExpiry(Date.parse(expiresAt) - Date.now())}</p>
          <dl className="facts">
            <Fact name="Registered until">
              <Time at={expiresAt} only="date" />
            </Fact>
            <Fact name="Registrar">{registrar ?? "–"}</Fact>
            <Fact name="Statuses">{statuses?.join(", ") || "–"}</Fact>
          </dl>
        </>
      )}
    </section>
  );
}

const adviceWords: Record<TlsAdvice, string> = {
  deprecated_protocol: "Use TLS 1.2 or later: older versions are deprecated.",
  weak_signature: "Replace the certificate: its signature uses SHA-1 or MD5.",
  weak_key: "Replace the key: RSA needs at least 2,048 bits.",
  incomplete_chain:
    "Send the certificate of the issuer too: clients that do not know it refuse the connection.",
};

function TlsFacts({ tls: { protocol, cipher, advice } }: { tls: Tls }) {
  return (
    <>
      <Fact name="Protocol">{[protocol, cipher].filter(Boolean).join(", ") || "–"}</Fact>
      {advice.length > 0 && (
        <Fact name="Advice">
          {advice.map((one) => (
            <p key={one}>{adviceWords[one]}</p>
          ))}
        </Fact>
      )}
    </>
  );
}

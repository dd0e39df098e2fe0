import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { plain } from "../../../domain/checks/certificate.ts";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import type { RegistrationDetail } from "../../../domain/registration/registration.ts";
import type { Config, Report } from "../data/api.ts";
import { rich } from "../languages/rich.tsx";
import { fill, plural, texts } from "../languages/texts.ts";
import {
  describeBriefly,
  describeMessage,
  describeRest,
  entriesOf,
  listOfAll,
  locationOf,
  restOf,
} from "../status/result-detail.ts";
import { StatusCell } from "../status/status-mark.tsx";
import { hasSteps, StepTable } from "../status/step-table.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { latencyOrDash } from "../ui/durations.ts";
import { formatExpiry } from "../ui/expiry.ts";
import { ScrollableTable } from "../ui/list.tsx";
import { formatUnit } from "../ui/numbers.ts";
import { Time } from "../ui/time.tsx";
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
  const titles = texts.monitors.latest;
  return (
    <>
      {hasSteps(detail) && (
        <CheckCard id="steps" title={titles.steps} detail={detail}>
          <StepTable detail={detail} />
        </CheckCard>
      )}
      <FactsOfType type={type} tls={tls} detail={detail} />
      {addresses.length > 0 && (
        <CheckCard id="addresses" title={titles.addresses} detail={detail}>
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
      <CheckCard id="certificate" title={texts.monitors.latest.certificate} detail={detail}>
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
  const words = texts.monitors.records;
  const goneMark = <b className="status-text state-down"> {words.gone}</b>;
  return (
    <CheckCard id="records" title={texts.monitors.latest.records} detail={detail}>
      <ul className="dns-records">
        {values.map((value) => (
          <li key={value}>
            <code>{value}</code>
            {added.includes(value) && <b className="status-text state-warning"> {words.new}</b>}
          </li>
        ))}
        {others && <li>{others}</li>}
        {entriesOf(detail, "gone").map((value) => (
          <li key={`gone ${value}`}>
            <code>
              <s>{value}</s>
            </code>
            {goneMark}
          </li>
        ))}
        {othersGone && (
          <li>
            {othersGone}
            {goneMark}
          </li>
        )}
      </ul>
      {values.length === 0 && <p>{describeMessage(detail) ?? words.none}</p>}
    </CheckCard>
  );
}

function Phases({ detail }: { detail: Config }) {
  const phases = (detail.phases ?? {}) as Record<string, number>;
  const shown = PHASES.filter((name) => typeof phases[name] === "number");
  if (shown.length === 0) return null;
  return (
    <CheckCard id="phases" title={texts.monitors.latest.phases} detail={detail}>
      <dl className="facts">
        {shown.map((name) => (
          <Fact key={name} name={texts.monitors.phases[name]}>
            {formatUnit(phases[name] ?? 0, "millisecond", 1)}
          </Fact>
        ))}
        {typeof detail.address === "string" && (
          <Fact name={texts.monitors.latest.address}>{detail.address}</Fact>
        )}
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
  const rest = restOf(detail, "addresses");
  const { table, columns, notChecked } = texts.monitors.addresses;
  const hasFailure = addresses.some(({ reason }) => reason);
  const more = hasFailure ? [{ number: columns.latency }, columns.detail] : [];
  return (
    <>
      <ScrollableTable label={table} columns={[columns.address, columns.status, ...more]}>
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
      {rest > 0 && <p className="text-muted">{plural(notChecked, rest)}</p>}
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
  const words = texts.monitors.certificate;
  return (
    <Card id="certificate" title={texts.monitors.latest.certificate}>
      <p className="certificate-expiry">{formatExpiry(Date.parse(tls.validTo) - Date.now())}</p>
      <dl className="facts">
        <Fact name={words.validUntil}>
          <Time at={tls.validTo} only="date" />
        </Fact>
        <TlsFacts tls={tls} />
        {tls.client && (
          <Fact name={words.clientCertificate}>
            {rich(words.clientValidUntil, { day: <Time at={tls.client.validTo} only="date" /> })}
          </Fact>
        )}
      </dl>
    </Card>
  );
}

/** The certificate that the latest check of a TLS monitor saw. @property detail of its result */
function CertificateFacts({ detail, tls }: { detail: Config; tls: Tls | null | undefined }) {
  const validTo = String(detail.validTo);
  const words = texts.monitors.certificate;
  return (
    <>
      <p className="certificate-expiry">{formatExpiry(Date.parse(validTo) - Date.now())}</p>
      <dl className="facts">
        <Fact name={words.validity}>
          {rich(words.validFromTo, {
            from: <Time at={String(detail.validFrom)} only="date" />,
            to: <Time at={validTo} only="date" />,
          })}
        </Fact>
        <Fact name={words.verified}>
          {detail.authorized
            ? words.verifiedYes
            : fill(words.verifiedNo, { fault: describeFault(String(detail.authorizationError)) })}
        </Fact>
        <Fact name={words.subject}>{String(detail.subject)}</Fact>
        <Fact name={words.issuer}>{String(detail.issuer)}</Fact>
        <Fact name={words.names}>{listOfAll(detail, "names")}</Fact>
        {tls ? <TlsFacts tls={tls} /> : <Fact name={words.protocol}>{String(detail.protocol ?? "–")}</Fact>}
        <Fact name="SHA-256">
          <code className="text-wrap">{String(detail.fingerprint)}</code>
        </Fact>
      </dl>
      {detail.registration !== undefined && <RegistrationFacts detail={detail} />}
    </>
  );
}

/** Why a certificate does not verify. */
function describeFault(code: string): string {
  const { faults, otherFault } = texts.monitors.certificate;
  const words = (faults as Partial<Record<string, string>>)[code];
  return words ?? fill(otherFault, { code: plain(code) });
}

/** The registration of the domain, as the latest check knew it. */
function RegistrationFacts({ detail }: { detail: Config }) {
  const { domain, expiresAt, registrar, statuses } = Object(
    detail.registration,
  ) as Partial<RegistrationDetail>;
  const words = texts.monitors.registration;
  return (
    <section aria-labelledby="registration">
      <h3 id="registration">{domain ? fill(words.titleOf, { domain }) : words.title}</h3>
      {expiresAt === undefined ? (
        <p>{detail.reason === "registration" ? String(detail.message) : words.pending}</p>
      ) : (
        <>
          <p className="certificate-expiry">{formatExpiry(Date.parse(expiresAt) - Date.now())}</p>
          <dl className="facts">
            <Fact name={words.until}>
              <Time at={expiresAt} only="date" />
            </Fact>
            <Fact name={words.registrar}>{registrar ?? "–"}</Fact>
            <Fact name={words.statuses}>{statuses?.join(", ") || "–"}</Fact>
          </dl>
        </>
      )}
    </section>
  );
}

function TlsFacts({ tls: { protocol, cipher, advice } }: { tls: Tls }) {
  const words = texts.monitors.certificate;
  return (
    <>
      <Fact name={words.protocol}>{[protocol, cipher].filter(Boolean).join(", ") || "–"}</Fact>
      {advice.length > 0 && (
        <Fact name={words.advice}>
          {advice.map((one) => (
            <p key={one}>{words.advices[one]}</p>
          ))}
        </Fact>
      )}
    </>
  );
}

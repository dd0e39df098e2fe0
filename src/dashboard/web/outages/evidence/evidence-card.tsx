import { queryOptions, useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { Link } from "wouter";
import { base } from "../../app/base.ts";
import { useHasRole } from "../../app/session.tsx";
import { api, type Evidence, getData, type Outage } from "../../data/api.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { rich } from "../../languages/rich.tsx";
import { fill, texts } from "../../languages/texts.ts";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/clipboard.tsx";
import { Failure } from "../../ui/filters.tsx";
import { Time } from "../../ui/time.tsx";
import { Badge } from "../../ui/view.tsx";
import {
  type ComparedFact,
  certificateWords,
  comparedFacts,
  connectionWords,
  dnsWords,
  endpointOf,
  evidenceText,
  handshakeWords,
  hopWords,
  isBare,
  otherHeaders,
  placeOf,
  selfWords,
} from "./evidence-words.ts";

/** The layer and the sentence of a failure. */
export function WhyWords({ why: { layer, summary } }: { why: NonNullable<Outage["why"]> }) {
  return (
    <>
      <LayerBadge layer={layer} /> <bdi>{summary}</bdi>
    </>
  );
}

function LayerBadge({ layer }: Pick<Evidence, "layer">) {
  return (
    <Badge>
      {rich(texts.evidence.layerBadge, {
        label: (text) => <span className={layer === "unknown" ? "" : "visually-hidden"}>{text}</span>,
        layer: texts.evidence.layer[layer],
      })}
    </Badge>
  );
}

/** Milliseconds between two fetches while an outage is open. */
const INTERVAL = 15_000;
/** The same while the location may still be looking once more: at most 5 s, and its answer has a way to go. */
const LOOKING_INTERVAL = 2000;
const LOOKING = 15_000;

/** All evidence of an outage, the oldest first. No event of the server says that a look is complete. */
export function outageEvidenceQuery(id: string, isOpen: boolean) {
  return queryOptions({
    queryKey: queryKeys.outageEvidence(id),
    queryFn: () => getData(api.outages({ id }).evidence.get()),
    refetchInterval: ({ state: { data } }) => intervalOf(data?.at(-1), isOpen, Date.now()),
  });
}

function intervalOf(newest: Evidence | undefined, isOpen: boolean, now: number): number | false {
  if (newest && newest.self === null && now - Date.parse(newest.at) < LOOKING) return LOOKING_INTERVAL;
  return isOpen && INTERVAL;
}

/** How many of the newest failures the view of a monitor shows. */
const MAX_OF_MONITOR = "5";

/** The newest evidence of a monitor, the newest first. */
export function monitorEvidenceQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.monitorEvidence(id),
    queryFn: () => getData(api.monitors({ id }).evidence.get({ query: { limit: MAX_OF_MONITOR } })),
  });
}

/** The evidence of an outage: the newest is open, the others are below it by their times. */
export function OutageEvidence({ outage: { id, monitor, endedAt } }: { outage: Outage }) {
  const { data, error } = useQuery(outageEvidenceQuery(id, endedAt === null));
  const { href } = new URL(`${base}/outages/${id}`, location.href);
  return (
    <EvidenceCard
      title={texts.evidence.title}
      items={data?.toReversed()}
      error={error}
      opens
      source={{ name: monitor.name, link: href }}
    />
  );
}

/** The evidence of the newest failures of a monitor, also of those that were over before an outage began. */
export function MonitorEvidence({ id, name }: { id: string; name: string }) {
  const { data, error } = useQuery(monitorEvidenceQuery(id));
  const { href } = new URL(`${base}/monitors/${id}`, location.href);
  return (
    <EvidenceCard
      title={texts.evidence.titleOfMonitor}
      items={data}
      error={error}
      source={{ name, link: href }}
    />
  );
}

interface CardProps {
  title: string;
  /** The newest first; undefined until they are loaded. */
  items: readonly Evidence[] | undefined;
  error: unknown;
  /** Whether the newest is open at first. */
  opens?: boolean;
  source: Parameters<typeof evidenceText>[1];
}

/** Nothing without evidence. */
function EvidenceCard({ title, items = [], error, opens = false, source }: CardProps) {
  if (items.length === 0 && !error) return null;
  return (
    <Card id="evidence" title={title}>
      <Failure error={error} />
      {items.map((evidence, at) => (
        <details key={evidence.id} className="evidence" open={opens && at === 0}>
          <summary>
            <Time at={evidence.at} /> · {placeOf(evidence)} · {texts.status.label[evidence.status]}
            <span className="evidence-summary">
              <WhyWords why={evidence} />
            </span>
          </summary>
          <EvidenceBody evidence={evidence} source={source} ofMonitor={!opens} />
        </details>
      ))}
    </Card>
  );
}

interface BodyProps extends Pick<CardProps, "source"> {
  evidence: Evidence;
  /** Whether the card is in the view of the monitor. */
  ofMonitor: boolean;
}

function EvidenceBody({ evidence, source, ofMonitor }: BodyProps) {
  const { outageId, dns, connections, path, tls, http, self } = evidence;
  const words = texts.evidence;
  return (
    <div className="evidence-body">
      <div className="actions">
        <CopyButton text={evidenceText(evidence, source)} label={words.copy}>
          {words.copy}
        </CopyButton>
        {ofMonitor && outageId !== null && (
          <Link className="button button-small" href={`/outages/${outageId}`}>
            {words.outage}
          </Link>
        )}
      </div>
      {ofMonitor && outageId === null && <p className="text-hint">{words.blip}</p>}
      {isBare(evidence) && <p className="text-hint">{words.bare}</p>}
      <Compared evidence={evidence} />
      {connections && connections.length > 0 && (
        <Part title={words.parts.connections}>
          <ul>
            {connections.map((one) => (
              <li key={endpointOf(one)}>
                <code>{endpointOf(one)}</code>{" "}
                <span className={one.outcome === "open" ? "state-healthy" : "state-down"}>
                  {connectionWords(one)}
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {path && path.length > 0 && (
        <Part title={words.parts.path}>
          <ol className="evidence-path">
            {path.map((hop) => (
              <li key={hop.hop} data-silent={hop.address === null || undefined}>
                <span className="evidence-hop">{hop.hop}</span> {hopWords(hop)}
              </li>
            ))}
          </ol>
        </Part>
      )}
      {dns && <Part title={words.parts.dns}>{dnsWords(dns)}</Part>}
      {tls && <Handshake tls={tls} />}
      {http && <Answer http={http} />}
      {self && <Part title={words.parts.self}>{selfWords(self)}</Part>}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="evidence-part">
      <h3>{title}</h3>
      <div>{children}</div>
    </div>
  );
}

function Compared({ evidence }: { evidence: Evidence }) {
  const facts = comparedFacts(evidence);
  if (facts.length === 0) return null;
  const { good } = evidence;
  const words = texts.evidence.compared;
  return (
    <table className="evidence-compared">
      <caption className="visually-hidden">{words.caption}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">
            {words.before}
            {good && (
              <>
                {" "}
                <Time at={good.at} />
              </>
            )}
          </th>
          <th scope="col">{words.now}</th>
        </tr>
      </thead>
      <tbody>
        {facts.map((fact) => (
          <FactRow key={fact.name} fact={fact} />
        ))}
      </tbody>
    </table>
  );
}

/** A difference has a sign and a word, for readers who do not see its color. */
function FactRow({ fact: { name, before, now, isChanged } }: { fact: ComparedFact }) {
  return (
    <tr data-changed={isChanged || undefined}>
      <th scope="row">{name}</th>
      <td>{before ?? "–"}</td>
      <td>
        {now ?? "–"}
        {isChanged && <b className="evidence-changed"> {texts.evidence.compared.changed}</b>}
      </td>
    </tr>
  );
}

function Handshake({ tls }: { tls: NonNullable<Evidence["tls"]> }) {
  return (
    <Part title={texts.evidence.parts.tls}>
      <p>{handshakeWords(tls)}</p>
      {tls.chain.length > 0 && (
        <ol>
          {tls.chain.map((one) => (
            <li key={one.fingerprint}>
              {certificateWords(one)} <code className="text-muted">{one.fingerprint}</code>
            </li>
          ))}
        </ol>
      )}
    </Part>
  );
}

/** The body is text of a server: it is never parsed as HTML. */
function Answer({ http }: { http: NonNullable<Evidence["http"]> }) {
  const mayReadBody = useHasRole("admin");
  const { statusCode, headers, body } = http;
  const others = otherHeaders(http);
  const words = texts.evidence;
  return (
    <Part title={words.parts.http}>
      <p>{fill(words.statusCode, { code: String(statusCode) })}</p>
      <dl className="evidence-headers">
        {Object.entries(headers).map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
        {others.length > 0 && (
          <>
            <dt>{words.otherHeaders}</dt>
            <dd>{others.join(texts.common.comma)}</dd>
          </>
        )}
      </dl>
      {body ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
        <pre className="evidence-answer" tabIndex={0}>
          {body}
        </pre>
      ) : (
        <p className="text-hint">{mayReadBody ? words.noBody : words.bodyForAdmins}</p>
      )}
    </Part>
  );
}

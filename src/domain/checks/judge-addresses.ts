import type { MonitorType } from "../monitors/monitor.ts";
import { worstOf } from "../results/history.ts";
import type { Judgement, Memory } from "./judge.ts";
import {
  type AddressEvidence,
  type Detail,
  type Evidence,
  type Reason,
  SOME_ADDRESSES,
  type TlsFacts,
} from "./observation.ts";

type ByAddress = Extract<Evidence, { outcome: "by_address" }>;

/** An address with what its check means. */
interface JudgedAddress extends AddressEvidence {
  judgement: Judgement;
}

/**
 * Judges what the addresses of a host gave as one (behavior 10.101 to 10.103).
 *
 * @param judge what one of them gave, with what was known before
 */
export function judgeAddresses(
  type: MonitorType,
  { addresses, omitted }: ByAddress,
  { memory, judge }: { memory: Memory | null; judge: Judge },
): Judgement {
  let known = memory;
  const judged = addresses.map((one): JudgedAddress => {
    const judgement = judge(one.evidence, known);
    known = judgement.memory;
    return { ...one, judgement };
  });
  const answered = judged.filter(({ evidence }) => evidence.outcome !== "failed");
  const failed = judged.filter(({ evidence }) => evidence.outcome === "failed");
  const { status, latencyMs, detail } = shownOf(type, answered, failed).judgement;
  const isPartial = answered.length > 0 && failed.length > 0;
  return {
    status: isPartial && status === "up" ? "degraded" : status,
    latencyMs: answered.length > 0 ? slowest(answered) : latencyMs,
    detail: {
      ...detail,
      ...(isPartial && { reason: SOME_ADDRESSES, message: messageOf(failed, judged.length) }),
      addresses: judged.map(failed.length > 0 ? entryOf : shortEntryOf),
      ...(omitted > 0 && { omitted: { addresses: omitted } }),
    },
    memory: known,
  };
}

type Judge = (evidence: AddressEvidence["evidence"], memory: Memory | null) => Judgement;

/** The handshake whose certificate ends first, with the advice for all of them. */
export function tlsOfAddresses({ addresses }: ByAddress): TlsFacts | undefined {
  const all = addresses.flatMap(({ evidence: { tls } }) => tls ?? []);
  const [first] = all.toSorted((one, other) => Date.parse(one.validTo) - Date.parse(other.validTo));
  return first && { ...first, advice: [...new Set([first, ...all].flatMap(({ advice }) => advice))] };
}

/** The address whose detail describes the host: the worst address that answered; if none did, the address that says most. */
function shownOf(type: MonitorType, answered: JudgedAddress[], failed: JudgedAddress[]): JudgedAddress {
  const statuses = answered.map(({ judgement }) => judgement.status);
  const [shown] =
    answered.length > 0
      ? answered.filter(({ judgement }) => judgement.status === worstOf(type, statuses)).toSorted(worstFirst)
      : failed.toSorted((one, other) => Number(isMute(one)) - Number(isMute(other)));
  if (!shown) throw new Error("a host was checked at no address");
  return shown;
}

/** The certificate that ends first; without certificates an answer that took too long, and then the longest latency. */
function worstFirst({ evidence: one }: JudgedAddress, { evidence: other }: JudgedAddress): number {
  if (one.outcome === "certified" && other.outcome === "certified")
    return Date.parse(one.certificate.validTo) - Date.parse(other.certificate.validTo);
  const isSlow = (evidence: typeof one) =>
    Number(evidence.outcome === "reached" && evidence.slowBy !== undefined);
  return isSlow(other) - isSlow(one) || (other.latencyMs ?? 0) - (one.latencyMs ?? 0);
}

/** Reasons that say less about a target than an answer, such as a refused connection. */
const MUTE: ReadonlySet<Reason> = new Set(["unreachable", "private_target"]);

function isMute({ evidence }: JudgedAddress): boolean {
  return evidence.outcome === "failed" && MUTE.has(evidence.reason);
}

/** Null if one of them is unknown. */
function slowest(answered: JudgedAddress[]): number | null {
  const latencies = answered.map(({ judgement }) => judgement.latencyMs);
  return latencies.includes(null) ? null : Math.max(...latencies.map(Number));
}

/** Names each cause once, with the addresses that fail for it. */
function messageOf(failed: JudgedAddress[], of: number): string {
  const byCause = Map.groupBy(failed, ({ judgement }) => judgement.detail?.message);
  const causes = [...byCause].map(
    ([cause, all]) => `${all.map(({ address }) => address).join(", ")}: ${cause}`,
  );
  return `${failed.length} of ${of} addresses ${failed.length === 1 ? "fails" : "fail"}: ${causes.join("; ")}`;
}

function entryOf(judged: JudgedAddress): Detail {
  const { evidence, judgement } = judged;
  const { latencyMs } = judgement;
  return {
    ...shortEntryOf(judged),
    ...(evidence.outcome === "failed" && { reason: evidence.reason }),
    ...(latencyMs !== null && { latencyMs: Math.round(latencyMs * 100) / 100 }),
  };
}

/** Without the latency, so that the details of most results are equal, which takes less storage. */
function shortEntryOf({ address, evidence, judgement }: JudgedAddress): Detail {
  const isSlow = evidence.outcome === "reached" && evidence.slowBy !== undefined;
  return { address, seen: isSlow ? "degraded" : judgement.status };
}

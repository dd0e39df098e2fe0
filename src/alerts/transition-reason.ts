import type { Transition } from "../domain/alerts/delivery.ts";
import { isDegradedBy, type LookupFailure, PACKET_LOSS, type Reason } from "../domain/checks/observation.ts";
import { fill } from "../domain/locale-formats.ts";
import type { Status } from "../domain/monitors/status.ts";
import { BY_REGISTRATION, type RegistrationFacts } from "../domain/registration/registration.ts";
import { oneLine } from "../domain/truncate.ts";
import { type Localization, localizationOf, sentences } from "./languages/localization.ts";

/*
 * Why a monitor has its new status, in a sentence. The recorded message of a check is English: readers of English get it in place of
 * the sentence, the others a sentence by the code and the values of the result, with the message behind it if it says more.
 */

/** How many values of a DNS answer are listed; the others are counted. */
const MAX_VALUES = 10;

type Describe = (transition: Transition, local: Localization) => string;

/** By the new status. */
const reasons: Record<Status, Describe> = {
  up: recovered,
  down: failure,
  degraded: slow,
  active: (transition, local) => {
    const { notExpired, notExpiredUntil } = local.texts.reason.certificate;
    return withRegistration(
      transition,
      local,
      certificateEnd(transition, local, notExpired, notExpiredUntil),
    );
  },
  expiring_soon: (transition, local) => {
    const { expiresSoon, expiresSoonOn } = local.texts.reason.certificate;
    return (
      byRegistration(transition, local) ??
      withRegistration(transition, local, certificateEnd(transition, local, expiresSoon, expiresSoonOn))
    );
  },
  expired: (transition, local) =>
    byRegistration(transition, local) ?? withRegistration(transition, local, invalidity(transition, local)),
  no_cert: (transition, local) => {
    const reason = failure(transition, local);
    const { none } = local.texts.reason.certificate;
    return fill(none, { reason: local.readsRecords ? uncapitalized(reason) : reason });
  },
  present: ({ result }, { texts }) =>
    isWithoutRecords(result.detail) ? texts.reason.dns.noRecord : texts.reason.dns.present,
  missing,
  changed,
  ok: (transition, local) => runOf(transition, local, true) ?? local.texts.reason.job.succeeded,
  failed: (transition, local) =>
    withMessage(transition, local, runOf(transition, local, false) ?? local.texts.reason.job.failed),
  havent_heard: (transition, local) => withMessage(transition, local, local.texts.reason.job.noCheckin),
  unknown: (_, { texts }) => texts.reason.unknown,
};

export function reasonOf(transition: Transition, local: Localization = localizationOf("en")): string {
  return reasons[transition.status](transition, local);
}

/**
 * A sentence with the recorded message: see above.
 *
 * @param sentence undefined if only the message is known
 * @param plain for readers of English, if there is no message
 */
function withMessage(
  transition: Transition,
  local: Localization,
  sentence: string | undefined,
  plain = sentence,
): string {
  const message = messageOf(transition);
  if (message === undefined) return (local.readsRecords ? plain : (sentence ?? plain)) ?? "";
  if (local.readsRecords) return `${capitalized(message)}.`;
  const recorded = fill(local.texts.reason.message, { message: local.isolated(message) });
  return sentence === undefined ? recorded : sentences(local, sentence, recorded);
}

function messageOf(transition: Transition): string | undefined {
  const message = field(transition, "message");
  if (typeof message !== "string" || oneLine(message) === "") return undefined;
  return oneLine(message).replace(/\.+$/, "");
}

/** A message may begin with a host name, which is left as it is. */
function capitalized(message: string): string {
  return /^[a-z]+ /.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message;
}

/** Only words of stillup lose their capital: a host name keeps its case. */
function uncapitalized(text: string): string {
  return text.replace(/^(The|There|It|No)\b/, (word) => word.toLowerCase());
}

/** The sentence with the address, for reasons whose message is the error code of a socket, such as `connect ECONNREFUSED`. */
const WITH_ADDRESS = { refused: "refusedBy", reset: "resetBy", unreachable: "unreachableAt" } as const;

/** Reasons of which the message says no more than the sentence. */
const COMPLETE: ReadonlySet<Reason> = new Set(["private_target", "dns_unreachable", "too_many_redirects"]);

function failure(transition: Transition, local: Localization): string {
  const { failed, noResponse, unexpectedStatus } = local.texts.reason;
  const reason = field(transition, "reason");
  if (!isReason(reason, failed)) return withMessage(transition, local, undefined, noResponse);
  if (Object.hasOwn(WITH_ADDRESS, reason)) {
    const address = field(transition, "address");
    const template = local.texts.reason[WITH_ADDRESS[reason as keyof typeof WITH_ADDRESS]];
    return typeof address === "string"
      ? fill(template, { address: local.isolated(address) })
      : failed[reason];
  }
  if (COMPLETE.has(reason) && !local.readsRecords) return failed[reason];
  const code = field(transition, "statusCode");
  const isStatus = reason === "unexpected" && typeof code === "number";
  return withMessage(
    transition,
    local,
    isStatus ? fill(unexpectedStatus, { code: String(code) }) : failed[reason],
    failed[reason],
  );
}

function isReason<Known extends string>(reason: unknown, known: Record<Known, string>): reason is Known {
  return typeof reason === "string" && Object.hasOwn(known, reason);
}

function recovered({ previousStatus, wasDegradedBy }: Transition, { texts }: Localization): string {
  const { recovered, asFastAsUsual, recoveredFrom } = texts.reason;
  if (wasDegradedBy) return recoveredFrom[wasDegradedBy];
  return previousStatus === "degraded" ? asFastAsUsual : recovered;
}

function slow(transition: Transition, local: Localization): string {
  const { reason: texts } = local.texts;
  if (messageOf(transition) !== undefined) return slowFor(transition, local);
  const { result, lastGoodLatencyMs } = transition;
  const values = {
    ...(result.latencyMs !== null && { latency: local.latency(result.latencyMs) }),
    ...(lastGoodLatencyMs !== undefined && { before: local.latency(lastGoodLatencyMs) }),
  };
  if ("before" in values) return fill("latency" in values ? texts.slowInBefore : texts.slowBefore, values);
  return fill("latency" in values ? texts.slowIn : texts.slow, values);
}

/** Degraded for something that its message says. */
function slowFor(transition: Transition, local: Localization): string {
  const { degradedBy, slowerThanExpected } = local.texts.reason;
  const reason = field(transition, "reason");
  if (!isDegradedBy(reason)) return withMessage(transition, local, slowerThanExpected);
  if (reason !== PACKET_LOSS) return withMessage(transition, local, degradedBy[reason]);
  const lost = lostPings(transition, local);
  return local.readsRecords || lost === undefined ? withMessage(transition, local, lost) : lost;
}

function lostPings({ monitor, result }: Transition, local: Localization): string | undefined {
  const { sent, received } = (result.detail?.ping ?? {}) as { sent?: number; received?: number };
  const { maxLoss } = monitor.config as { maxLoss?: number };
  if (sent === undefined || received === undefined || maxLoss === undefined) return undefined;
  const [all, lost] = [local.number(sent), local.number(sent - received)];
  return fill(local.texts.reason.pingsLost, { sent: all, lost, allowed: local.percent(maxLoss) });
}

/** @param plain without a date @param dated with the end of the certificate, which is later */
function certificateEnd(transition: Transition, local: Localization, plain: string, dated: string): string {
  const at = timeIn(transition, "validTo");
  const left = at === undefined ? 0 : at - transition.result.createdAt;
  if (at === undefined || left <= 0) return plain;
  return fill(dated, { day: local.day(at), duration: local.duration(left) });
}

/** The reason of a status that follows from the registration of the domain (behavior 20.80). */
function byRegistration(transition: Transition, local: Localization): string | undefined {
  if (field(transition, "reason") !== BY_REGISTRATION) return undefined;
  const { notExpired, notExpiredUntil } = local.texts.reason.certificate;
  const certificate = certificateEnd(transition, local, notExpired, notExpiredUntil);
  if (local.readsRecords) return sentences(local, withMessage(transition, local, undefined), certificate);
  const end = registrationEnd(transition, local);
  const known = registrationOf(transition);
  const hasEnded = known !== undefined && known.at <= transition.result.createdAt;
  if (end !== "" && (transition.status === "expiring_soon" || hasEnded))
    return sentences(local, end, certificate);
  const { invalid } = local.texts.reason.registration;
  const lost = known && fill(invalid, { domain: local.isolated(known.domain) });
  return withMessage(transition, local, lost ? sentences(local, lost, certificate) : certificate);
}

function withRegistration(transition: Transition, local: Localization, sentence: string): string {
  return sentences(local, sentence, registrationEnd(transition, local));
}

/** When the registration ends beside a certificate; empty if it is not looked up, or not known. */
function registrationEnd(transition: Transition, local: Localization): string {
  const known = registrationOf(transition);
  if (!known) return "";
  const left = known.at - transition.result.createdAt;
  const { expires, expired } = local.texts.reason.registration;
  return fill(left > 0 ? expires : expired, {
    domain: local.isolated(known.domain),
    day: local.day(known.at),
    duration: local.duration(left),
  });
}

function registrationOf(transition: Transition): { domain: string; at: number } | undefined {
  const { domain, expiresAt } = (field(transition, "registration") ?? {}) as Partial<RegistrationFacts> & {
    domain?: string;
  };
  const at = Date.parse(String(expiresAt));
  return domain === undefined || Number.isNaN(at) ? undefined : { domain, at };
}

function invalidity(transition: Transition, local: Localization): string {
  const { notYetValid, expired, expiredOn } = local.texts.reason.certificate;
  const { createdAt } = transition.result;
  const from = timeIn(transition, "validFrom");
  if (from !== undefined && from > createdAt) return fill(notYetValid, { day: local.day(from) });
  const to = timeIn(transition, "validTo");
  if (to === undefined) return expired;
  return fill(expiredOn, { day: local.day(to), duration: local.duration(createdAt - to) });
}

/** Whether the name is to have no record (behavior 4.24). */
export function isWithoutRecords(detail: Transition["result"]["detail"]): boolean {
  return Array.isArray(detail?.values) && detail.values.length === 0;
}

function missing(transition: Transition, local: Localization): string {
  const { dns } = local.texts.reason;
  const reason = field(transition, "reason");
  return withMessage(
    transition,
    local,
    isReason<LookupFailure>(reason, dns.failed) ? dns.failed[reason] : dns.missing,
    dns.missing,
  );
}

function changed(transition: Transition, local: Localization): string {
  const { dns } = local.texts.reason;
  const [added, gone] = [valuesIn(transition, local, "added"), valuesIn(transition, local, "gone")];
  if (added !== "" && gone !== "") return fill(dns.changedBoth, { added, gone });
  if (added !== "") return fill(dns.changedNew, { added });
  return gone === "" ? dns.changed : fill(dns.changedGone, { gone });
}

function valuesIn(transition: Transition, local: Localization, name: string): string {
  const all = field(transition, name);
  if (!Array.isArray(all)) return "";
  const listed = all.slice(0, MAX_VALUES).map((value) => local.isolated(String(value)));
  const omitted = (field(transition, "omitted") as Record<string, number> | undefined)?.[name] ?? 0;
  const more = all.length - listed.length + omitted;
  return local.list([...listed, ...(more > 0 ? [local.plural(local.texts.value.more, more)] : [])]);
}

/** The run of a job that the result is about; undefined if it is about none. */
function runOf({ result }: Transition, local: Localization, isOk: boolean): string | undefined {
  const { job } = local.texts.reason;
  const { reason, exitCode, run } = (result.detail ?? {}) as {
    reason?: string;
    exitCode?: number;
    run?: { durationMs: number };
  };
  if (reason === "overrun" || reason === "overlap") return job[reason];
  const duration = run && local.duration(run.durationMs);
  if (exitCode !== undefined) {
    const code = String(exitCode);
    return duration === undefined
      ? fill(job.exitCode, { code })
      : fill(job.exitCodeAfter, { code, duration });
  }
  return duration === undefined ? undefined : fill(isOk ? job.succeededAfter : job.failedAfter, { duration });
}

function field({ result }: Transition, name: string): unknown {
  return result.detail?.[name];
}

function timeIn(transition: Transition, name: string): number | undefined {
  const at = Date.parse(String(field(transition, name)));
  return Number.isNaN(at) ? undefined : at;
}

import { type Static, Type } from "@sinclair/typebox";
import { DAY } from "../duration.ts";
import { Email } from "../schemas/format.ts";
import { closed } from "../schemas/schema.ts";
import { parse } from "../schemas/validation.ts";
import type { IncidentStatus } from "./incident.ts";

/** The most components of a page. */
const MAX_CHOSEN = 500;

const Choice = Type.Array(Type.String({ maxLength: 64 }), { maxItems: MAX_CHOSEN });
const SubscriptionRequest = Type.Object({ email: Email, componentIds: Type.Optional(Choice) }, closed);

/** @property componentIds whose messages are wanted; null for all */
export interface SubscriptionRequest {
  email: string;
  componentIds: string[] | null;
}

/**
 * The address of a request, in the form in which addresses are compared: a mailbox that ignores case is one address (behavior
 * 15.70).
 *
 * @throws AppError `invalid` if it is not exactly one address
 */
export function parseSubscription(body: unknown): SubscriptionRequest {
  const request: Static<typeof SubscriptionRequest> = parse(SubscriptionRequest, trimmed(body), "");
  const { email, componentIds = [] } = request;
  return { email: email.normalize("NFC").toLowerCase(), componentIds: choiceOf(componentIds) };
}

/** The components that a subscriber chose: none is all of them. */
export function choiceOf(componentIds: readonly string[]): string[] | null {
  return componentIds.length === 0 ? null : [...new Set(componentIds)];
}

/** Whether a message about some components is for a subscriber. A message that names none is about the whole page (behavior 15.111). */
export function isAbout(componentIds: readonly string[], chosen: readonly string[] | null): boolean {
  return chosen === null || componentIds.length === 0 || componentIds.some((id) => chosen.includes(id));
}

function trimmed(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("email" in body)) return body;
  return typeof body.email === "string" ? { ...body, email: body.email.trim() } : body;
}

/** Opt-in messages that a mailbox gets in 24 hours, of all pages of the server (behavior 15.73). */
const OPT_INS_A_DAY = 3;

/** Subscriptions of one page that wait for their confirmation since less than 24 hours, and get a message (behavior 15.73). */
const MAX_UNCONFIRMED = 500;

/** The mailbox of an address: without the tag in `ada+news@example.com`, which anybody may choose. */
export function mailboxOf(email: string): string {
  return email.replace(/\+[^@]*(?=@[^@]*$)/, "");
}

/** The time in which opt-in messages count, in milliseconds. */
export const OPT_IN_PERIOD = DAY;

/** How long a subscription waits for its confirmation, in milliseconds (behavior 15.76). */
export const UNCONFIRMED_FOR = 3 * DAY;

/**
 * @property confirmedAt null if it is not confirmed
 * @property optIns that the mailbox got in the last `OPT_IN_PERIOD`
 * @property unconfirmed subscriptions of the page of the same time, this one included
 */
export interface RequestedSubscription {
  confirmedAt: number | null;
  optIns: number;
  unconfirmed: number;
}

/** Whether a request is followed by an opt-in message. Nothing else that a client can see depends on it. */
export function needsOptIn({ confirmedAt, optIns, unconfirmed }: RequestedSubscription): boolean {
  return confirmedAt === null && optIns < OPT_INS_A_DAY && unconfirmed <= MAX_UNCONFIRMED;
}

/**
 * Messages that a subscriber gets in a day (UTC), beside opt-in messages: so many about incidents that people write, and so many about
 * outages and maintenances, so that a flapping component silences nobody (behavior 15.81).
 */
export const NOTICES_A_DAY = 20;

/** How many messages a subscriber got on a day. @property sentDay days since 1970 (UTC) @property writtenCount about written incidents */
export interface SentNotices {
  sentDay: number;
  sentCount: number;
  writtenCount: number;
}

/** The count for the day of `now`. */
function sentOn({ sentDay, sentCount, writtenCount }: SentNotices, now: number): SentNotices {
  const today = Math.floor(now / DAY);
  return sentDay === today
    ? { sentDay, sentCount, writtenCount }
    : { sentDay: today, sentCount: 0, writtenCount: 0 };
}

/** @property counts the messages of the day after this one; null if it does not count */
export type MailDecision = { send: false } | { send: true; counts: SentNotices | null; isLast: boolean };

/** The facts that decide whether a message is still sent when its turn comes. */
export interface WaitingMail {
  mail: PageMail;
  subscriber: SentNotices & { confirmedAt: number | null };
  page: { isPublic: boolean };
}

/** Whether a message is sent now (behavior 15.81, 15.85). */
export function decideMail({ mail, subscriber, page }: WaitingMail, now: number): MailDecision {
  if (!page.isPublic) return { send: false };
  if (mail.kind === "optIn")
    return subscriber.confirmedAt === null ? { send: true, counts: null, isLast: false } : { send: false };
  const isWritten = mail.kind === "incident" || (mail.kind === "maintenance" && mail.plan !== undefined);
  const counted = isWritten ? "writtenCount" : "sentCount";
  const sent = sentOn(subscriber, now);
  const count = sent[counted] + 1;
  if (count > NOTICES_A_DAY) return { send: false };
  return { send: true, counts: { ...sent, [counted]: count }, isLast: count === NOTICES_A_DAY };
}

/** An outage of a component that became longer than `minOutage`, or that ended after that. */
export interface OutageNotice {
  kind: "outage";
  component: string;
  isDown: boolean;
  /** When it became degraded, or, if `isDown`, when it was first down. */
  startedAt: number;
  /** Null while it continues. */
  endedAt: number | null;
  /** Milliseconds for which it was degraded or, if `isDown`, down. Absent while it continues, and in messages of earlier versions. */
  lengthMs?: number;
}

/** The act of people on a window that has not started. */
export type PlanChange = "planned" | "moved" | "canceled";

/** A window of a maintenance that started or ended, or that people planned, moved or canceled. */
export interface MaintenanceNotice {
  kind: "maintenance";
  /** Absent if it started or ended. */
  plan?: PlanChange;
  title: string;
  message: string | null;
  components: string[];
  startedAt: number;
  /** The end of the window: expected, or, if `isOver`, when it ended. Null if it is not known. */
  endsAt: number | null;
  isOver: boolean;
}

/** A notice of the page watch. */
export type PageNotice = OutageNotice | MaintenanceNotice;

export interface IncidentNotice {
  kind: "incident";
  title: string;
  /** The latest one; null for an incident without updates. */
  update: { status: IncidentStatus; body: string } | null;
  components: string[];
  at: number;
}

/** The content of an e-mail to a subscriber; its links are added when it is sent. Times are milliseconds since 1970. */
export type PageMail =
  | { kind: "optIn" }
  | IncidentNotice
  | PageNotice
  /** The first of several notices at the same time. @property count how many in all */
  | { kind: "several"; notices: PageNotice[]; count: number };

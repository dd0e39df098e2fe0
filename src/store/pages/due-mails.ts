import { and, count, eq, inArray, isNotNull, lte, ne, type SQL } from "drizzle-orm";
import { MAX_RETRY_DELAY } from "../../domain/alerts/delivery.ts";
import { isShown } from "../../domain/pages/page-request.ts";
import type { PageLanguage } from "../../domain/pages/reader-locale.ts";
import { isAbout, type PageMail, type SentNotices } from "../../domain/pages/subscription.ts";
import { createId } from "../ids.ts";
import type { Sql, TimedTx, Tx } from "../tx.ts";

/** An e-mail to a subscriber that is to be sent now. Times are milliseconds since 1970. */
export interface DueMail {
  pk: number;
  /** The same for every attempt. */
  id: string;
  mail: PageMail;
  /** How often it was tried. */
  attempts: number;
  createdAt: number;
  /** @property locale of the request that subscribed; null if it is not known */
  subscriber: SentNotices & {
    pk: number;
    email: string;
    token: string;
    confirmedAt: number | null;
    locale: string | null;
  };
  page: { slug: string; title: string; language: PageLanguage; timezone: string; isPublic: boolean };
}

/** Whether any e-mail waits. */
export async function hasMails({ query }: Sql): Promise<boolean> {
  return (await query("SELECT 1 FROM page_mails LIMIT 1")).length > 0;
}

const LIST_DUE = `SELECT page_mails.pk FROM page_mails
    JOIN page_subscribers ON page_subscribers.pk = page_mails.subscriber_pk
  WHERE (next_attempt_at <= $1 OR next_attempt_at > $2) AND NOT EXISTS (
    SELECT 1 FROM page_mails AS older
    WHERE older.subscriber_pk = page_mails.subscriber_pk AND older.pk < page_mails.pk)
  ORDER BY confirmed_at IS NULL, attempts, page_mails.pk LIMIT $3`;

/**
 * The e-mails to send now: of each subscriber only the oldest e-mail, so that they arrive in order. E-mails to confirmed
 * subscribers come first, because anybody can request opt-in messages; then e-mails that were never tried. An e-mail whose next
 * attempt is too far in the future, because the
 * clock was set back, is due now.
 */
export async function listDueMails(
  tx: Tx,
  { now, limit }: { now: number; limit: number },
): Promise<DueMail[]> {
  const due = await tx.query<{ pk: number }>(LIST_DUE, [now, now + MAX_RETRY_DELAY, limit]);
  if (due.length === 0) return [];
  const pks = due.map(({ pk }) => pk);
  const rows = await selectMails(tx, tx.sets.among(tx.tables.pageMails.pk, pks));
  return rows.sort((one, other) => pks.indexOf(one.pk) - pks.indexOf(other.pk)).map(dueMail);
}

/** A waiting e-mail as it is now; undefined if it was sent, or its subscription deleted. */
export async function findMail(tx: Tx, pk: number): Promise<DueMail | undefined> {
  const [row] = await selectMails(tx, eq(tx.tables.pageMails.pk, pk));
  return row && dueMail(row);
}

function selectMails({ db, tables }: Tx, condition: SQL | undefined) {
  const { pageMails, pageSubscribers, pages } = tables;
  const { pk, id, mail, attempts, createdAt, subscriberPk } = pageMails;
  const { email, token, confirmedAt, sentDay, sentCount, writtenCount, locale } = pageSubscribers;
  const { slug, title, language, timezone, visibility } = pages;
  return db
    .select({
      ...{ pk, id, mail, attempts, createdAt },
      subscriber: { pk: subscriberPk, email, token, confirmedAt, sentDay, sentCount, writtenCount, locale },
      page: { slug, title, language, timezone, visibility },
    })
    .from(pageMails)
    .innerJoin(pageSubscribers, eq(pageSubscribers.pk, subscriberPk))
    .innerJoin(pages, eq(pages.pk, pageSubscribers.pagePk))
    .where(condition);
}

function dueMail({ page: { visibility, ...page }, ...row }: Awaited<ReturnType<typeof selectMails>>[number]) {
  return { ...row, page: { ...page, isPublic: isShown(visibility) } };
}

/** The outcome of an e-mail that was due. @property counts the messages of the day; null if it does not count */
export type MailOutcome = Pick<DueMail, "pk" | "attempts"> &
  (
    | { outcome: "sent"; subscriberPk: number; counts: SentNotices | null }
    | { outcome: "retried"; nextAttemptAt: number }
    | { outcome: "dropped" }
  );

/** Stores the outcome of an attempt. It is ignored if another node stored one meanwhile. */
export async function recordMail({ db, tables }: Tx, outcome: MailOutcome): Promise<void> {
  const { pageMails, pageSubscribers } = tables;
  const { pk, attempts } = outcome;
  const isSame = and(eq(pageMails.pk, pk), eq(pageMails.attempts, attempts));
  if (outcome.outcome === "retried") {
    const { nextAttemptAt } = outcome;
    await db
      .update(pageMails)
      .set({ attempts: attempts + 1, nextAttemptAt })
      .where(isSame);
    return;
  }
  const deleted = await db.delete(pageMails).where(isSame).returning({ pk: pageMails.pk });
  if (deleted.length === 0 || outcome.outcome === "dropped" || !outcome.counts) return;
  await db.update(pageSubscribers).set(outcome.counts).where(eq(pageSubscribers.pk, outcome.subscriberPk));
}

/** How many e-mails wait. */
export async function countPageMails({ db, tables: { pageMails } }: Tx): Promise<number> {
  const [counted] = await db.select({ count: count() }).from(pageMails);
  return counted?.count ?? 0;
}

/** Rows of one statement, which takes about 10 ms; other work than writes runs in between. */
const BATCH = 200;

/**
 * Creates an e-mail for each confirmed subscriber of a page that is public, to be sent at once.
 *
 * @property mailFor by the components that a subscriber chose, null for all; null if it is not for them
 * @property confirmedUntil leaves out who confirmed after this moment. Default: nobody
 * @returns how many
 */
export async function createPageMails(
  tx: TimedTx,
  {
    pagePk,
    mailFor,
    confirmedUntil,
  }: {
    pagePk: number;
    mailFor: (chosen: readonly string[] | null) => PageMail | null;
    confirmedUntil?: number;
  },
): Promise<number> {
  const { pages, pageMails, pageSubscribers } = tx.tables;
  const { confirmedAt, componentIds } = pageSubscribers;
  const subscribers = await tx.db
    .select({ pk: pageSubscribers.pk, componentIds })
    .from(pageSubscribers)
    .innerJoin(pages, eq(pages.pk, pageSubscribers.pagePk))
    .where(
      and(
        eq(pages.pk, pagePk),
        ne(pages.visibility, "off"),
        confirmedUntil === undefined ? isNotNull(confirmedAt) : lte(confirmedAt, confirmedUntil),
      ),
    )
    .orderBy(pageSubscribers.pk);
  const forAll = mailFor(null);
  const rows = subscribers.flatMap(({ pk, componentIds: chosen }) => {
    const mail = chosen === null ? forAll : mailFor(chosen);
    const times = { nextAttemptAt: tx.now, createdAt: tx.now };
    return mail ? [{ id: createId(), subscriberPk: pk, mail, ...times }] : [];
  });
  for (let at = 0; at < rows.length; at += BATCH) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    await tx.db.insert(pageMails).values(rows.slice(at, at + BATCH));
  }
  return rows.length;
}

/** An incident that was written, or an update of it. */
interface MailedIncident {
  pagePk: number;
  title: string;
  /** Components of the page; IDs of others are ignored. */
  componentIds: readonly string[];
  /** The latest one; null for an incident without updates. */
  update: Extract<PageMail, { kind: "incident" }>["update"];
}

/**
 * Creates an e-mail about an incident for each confirmed subscriber of its page, in the transaction that writes it (behavior
 * 15.77). A page that is off has none.
 */
export async function createIncidentMails(
  tx: TimedTx,
  { pagePk, title, componentIds, update }: MailedIncident,
): Promise<void> {
  const components = await listNames(tx, pagePk, componentIds);
  const mail = { kind: "incident", title, update, components, at: tx.now } as const;
  await createPageMails(tx, { pagePk, mailFor: (chosen) => (isAbout(componentIds, chosen) ? mail : null) });
}

/** The public names of some components, in the order of the page. */
async function listNames({ db, tables }: Tx, pagePk: number, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { pageComponents, monitors } = tables;
  const rows = await db
    .select({ name: pageComponents.name, monitorName: monitors.name })
    .from(pageComponents)
    .innerJoin(monitors, eq(monitors.pk, pageComponents.monitorPk))
    .where(and(eq(pageComponents.pagePk, pagePk), inArray(pageComponents.id, [...ids])))
    .orderBy(pageComponents.position);
  return rows.map(({ name, monitorName }) => name ?? monitorName);
}

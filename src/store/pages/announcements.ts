import { and, eq, inArray, isNull, lt } from "drizzle-orm";
import {
  type AnnouncementStep,
  mailOfNotices,
  type PageEvents,
  planAnnouncements,
} from "../../domain/pages/announcement.ts";
import type { PageNotice } from "../../domain/pages/subscription.ts";
import type { Tx } from "../tx.ts";
import { listWatchedPages, readPageEvents } from "./page-events.ts";
import { createPageMails } from "./page-mails.ts";

/** The numbers of the pages that have something to announce now. It costs little while nothing is open. */
export async function listAnnouncingPages(tx: Tx, now: number): Promise<number[]> {
  const events = await readPageEvents(tx, await listWatchedPages(tx), now);
  return events.filter((one) => planAnnouncements(one, now).length > 0).map(({ page }) => page.pk);
}

/**
 * Stores what a page announces now, each outage and window once, with the e-mails to its subscribers (behavior 15.78 to
 * 15.80). What it announces at the same time is one message.
 *
 * @param now milliseconds since 1970
 * @returns how many e-mails were created
 */
export async function announce(tx: Tx, pagePk: number, now: number): Promise<number> {
  const watched = await listWatchedPages(tx, pagePk);
  const [events] = await readPageEvents(tx, watched, now);
  return events ? announceOn(tx, events, now) : 0;
}

async function announceOn(tx: Tx, events: PageEvents, now: number): Promise<number> {
  const { pk: pagePk } = events.page;
  const made: { notice: PageNotice; at: number }[] = [];
  for (const step of planAnnouncements(events, now)) {
    const isNew = await save(tx, { pagePk, step });
    if (isNew && step.step !== "move" && step.notice) made.push({ notice: step.notice, at: step.at });
  }
  const mail = mailOfNotices(made.map(({ notice }) => notice));
  if (!mail) return 0;
  // Who confirms while something is open gets its end, but not its start.
  const confirmedUntil = Math.max(...made.map(({ at }) => at));
  return createPageMails(tx, { pagePk, mail, confirmedUntil }, now);
}

/** @returns whether it was not stored yet */
async function save(tx: Tx, { pagePk, step }: { pagePk: number; step: AnnouncementStep }): Promise<boolean> {
  const {
    db,
    tables: { pageAnnouncements },
  } = tx;
  const { pk } = pageAnnouncements;
  if (step.step === "start") {
    const { kind, subject, at: startedAt } = step;
    const row = { pagePk, kind, subject, startedAt };
    const isNew = isOne(
      await db.insert(pageAnnouncements).values(row).onConflictDoNothing().returning({ pk }),
    );
    if (!isNew) await reopen(tx, row);
    return isNew;
  }
  const values = step.step === "move" ? { subject: step.subject } : { endedAt: step.at };
  const isOpen = and(eq(pk, step.pk), isNull(pageAnnouncements.endedAt));
  return isOne(await db.update(pageAnnouncements).set(values).where(isOpen).returning({ pk }));
}

/** Its component was deleted, and created again: the start is not announced a second time, but the end will be. */
async function reopen(
  { db, tables: { pageAnnouncements } }: Tx,
  { pagePk, kind, subject }: { pagePk: number; kind: "outage" | "maintenance"; subject: string },
): Promise<void> {
  const { pagePk: ofPage, kind: ofKind, subject: ofSubject } = pageAnnouncements;
  const isSame = and(eq(ofPage, pagePk), eq(ofKind, kind), eq(ofSubject, subject));
  await db.update(pageAnnouncements).set({ endedAt: null }).where(isSame);
}

function isOne(rows: unknown[]): boolean {
  return rows.length === 1;
}

/** How many rows are deleted at once. */
const BATCH = 100;

/** Deletes some of the announcements whose end is older than a moment. @returns whether there may be more */
export async function pruneAnnouncements({ db, tables }: Tx, before: number): Promise<boolean> {
  const { pageAnnouncements } = tables;
  const { pk, endedAt } = pageAnnouncements;
  const old = await db.select({ pk }).from(pageAnnouncements).where(lt(endedAt, before)).limit(BATCH);
  const pks = old.map((row) => row.pk);
  if (pks.length > 0) await db.delete(pageAnnouncements).where(inArray(pk, pks));
  return pks.length === BATCH;
}

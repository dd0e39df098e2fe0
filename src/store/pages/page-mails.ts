import { and, eq, inArray, isNotNull, lte, ne } from "drizzle-orm";
import type { PageMail } from "../../domain/pages/subscription.ts";
import { createId } from "../ids.ts";
import type { Tx } from "../tx.ts";

/** Rows of one statement, which takes about 10 ms; other work than writes runs in between. */
const BATCH = 200;

/**
 * Creates an e-mail for each confirmed subscriber of a page that is public, to be sent at once.
 *
 * @property confirmedUntil leaves out who confirmed after this moment. Default: nobody
 * @param now milliseconds since 1970
 * @returns how many
 */
export async function createPageMails(
  tx: Tx,
  { pagePk, mail, confirmedUntil }: { pagePk: number; mail: PageMail; confirmedUntil?: number },
  now: number,
): Promise<number> {
  const { pages, pageMails, pageSubscribers } = tx.tables;
  const { confirmedAt } = pageSubscribers;
  const subscribers = await tx.db
    .select({ pk: pageSubscribers.pk })
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
  const rows = subscribers.map(({ pk }) => ({
    ...{ id: createId(), subscriberPk: pk, mail },
    ...{ nextAttemptAt: now, createdAt: now },
  }));
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
 *
 * @param now milliseconds since 1970
 */
export async function createIncidentMails(
  tx: Tx,
  { pagePk, title, componentIds, update }: MailedIncident,
  now: number,
): Promise<void> {
  const components = await listNames(tx, pagePk, componentIds);
  await createPageMails(tx, { pagePk, mail: { kind: "incident", title, update, components, at: now } }, now);
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

import { and, eq, isNotNull, lte } from "drizzle-orm";
import type { PageMail } from "../../domain/pages/page-mail.ts";
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
        eq(pages.visibility, "public"),
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

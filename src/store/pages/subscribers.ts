import { and, count, eq, gt, inArray, isNull, lt, sql } from "drizzle-orm";
import { isShown } from "../../domain/pages/page-request.ts";
import type { PageLanguage } from "../../domain/pages/reader-locale.ts";
import { mailboxOf, needsOptIn, OPT_IN_PERIOD, UNCONFIRMED_FOR } from "../../domain/pages/subscription.ts";
import { invalid, notFound } from "../../errors.ts";
import { createId, createToken } from "../ids.ts";
import type { TimedTx, Tx } from "../tx.ts";

/** The page of a subscription, as its messages name it. */
export interface SubscribedPage {
  slug: string;
  title: string;
  language: PageLanguage;
  isPublic: boolean;
}

/**
 * Creates a subscription that waits for its confirmation, and an opt-in message if one is needed. It runs the same statements
 * whether or not the address is known, confirmed or over its limit, so that the time of the answer shows nothing (behavior 15.72).
 *
 * @param email as `parseSubscription` returns it @param locale of the request
 * @throws AppError `not_found` without a public page of this slug, `invalid` for a component that it does not have
 */
export async function requestSubscription(
  tx: TimedTx,
  {
    slug,
    email,
    locale,
    componentIds = null,
  }: { slug: string; email: string; locale: string; componentIds?: string[] | null },
): Promise<SubscribedPage> {
  const page = await findPage(tx, slug);
  if (!page?.isPublic) throw notFound();
  if (componentIds) await assertComponents(tx, page.pk, componentIds);
  const addressHash = new Bun.CryptoHasher("sha256").update(mailboxOf(email)).digest();
  const subscriber = await saveSubscriber(tx, { pagePk: page.pk, email, locale, componentIds });
  const optIns = await countOptIns(tx, addressHash);
  const unconfirmed = await countUnconfirmed(tx, page.pk);
  const isSent = needsOptIn({ confirmedAt: subscriber.confirmedAt, optIns, unconfirmed });
  await saveOptIn(tx, { subscriberPk: subscriber.pk, addressHash, isSent });
  return { slug, title: page.title, language: page.language, isPublic: true };
}

async function assertComponents({ db, tables }: Tx, page: number, ids: readonly string[]): Promise<void> {
  const { id, pagePk } = tables.pageComponents;
  const rows = await db.select({ id }).from(tables.pageComponents).where(eq(pagePk, page));
  const known = new Set(rows.map((row) => row.id));
  const unknown = ids.findIndex((one) => !known.has(one));
  if (unknown >= 0) throw invalid(`componentIds.${unknown} is not a component of this page`);
}

async function findPage({ db, tables: { pages } }: Tx, slug: string) {
  const { pk, title, language, visibility } = pages;
  const [page] = await db.select({ pk, title, language, visibility }).from(pages).where(eq(pages.slug, slug));
  return page && { ...page, isPublic: isShown(page.visibility) };
}

/**
 * A repeated request begins the time for the confirmation again. It changes the language and the components only before the
 * confirmation, because anybody can send it.
 */
async function saveSubscriber(
  { db, tables: { pageSubscribers }, now }: TimedTx,
  {
    pagePk,
    email,
    locale,
    componentIds,
  }: { pagePk: number; email: string; locale: string; componentIds: string[] | null },
) {
  const { pk, confirmedAt } = pageSubscribers;
  const kept = sql<string>`CASE WHEN ${confirmedAt} IS NULL THEN ${locale} ELSE ${pageSubscribers.locale} END`;
  const chosen = pageSubscribers.componentIds;
  const keptChoice = sql`CASE WHEN ${confirmedAt} IS NULL THEN excluded.component_ids ELSE ${chosen} END`;
  const [saved] = await db
    .insert(pageSubscribers)
    .values({ pagePk, email, locale, componentIds, token: createToken(), createdAt: now })
    .onConflictDoUpdate({
      target: [pageSubscribers.pagePk, pageSubscribers.email],
      set: { createdAt: now, locale: kept, componentIds: keptChoice },
    })
    .returning({ pk, confirmedAt });
  if (!saved) throw new Error("the insert returned no subscriber");
  return saved;
}

async function countOptIns({ db, tables, now }: TimedTx, hash: Uint8Array): Promise<number> {
  const { addressHash, sentAt } = tables.pageOptIns;
  const [counted] = await db
    .select({ count: count() })
    .from(tables.pageOptIns)
    .where(and(eq(addressHash, hash), gt(sentAt, now - OPT_IN_PERIOD)));
  return counted?.count ?? 0;
}

async function countUnconfirmed({ db, tables, now }: TimedTx, page: number): Promise<number> {
  const { pagePk, confirmedAt, createdAt } = tables.pageSubscribers;
  const [counted] = await db
    .select({ count: count() })
    .from(tables.pageSubscribers)
    .where(and(eq(pagePk, page), isNull(confirmedAt), gt(createdAt, now - OPT_IN_PERIOD)));
  return counted?.count ?? 0;
}

/** Without an opt-in message it inserts the same rows, and deletes them. */
async function saveOptIn(
  { db, tables: { pageMails, pageOptIns }, now }: TimedTx,
  { subscriberPk, addressHash, isSent }: { subscriberPk: number; addressHash: Uint8Array; isSent: boolean },
): Promise<void> {
  const [optIn] = await db
    .insert(pageOptIns)
    .values({ addressHash, sentAt: now })
    .returning({ pk: pageOptIns.pk });
  const [mail] = await db
    .insert(pageMails)
    .values({ id: createId(), subscriberPk, mail: { kind: "optIn" }, nextAttemptAt: now, createdAt: now })
    .returning({ pk: pageMails.pk });
  const unwanted = (row: { pk: number } | undefined) => (isSent ? -1 : (row?.pk ?? -1));
  await db.delete(pageOptIns).where(eq(pageOptIns.pk, unwanted(optIn)));
  await db.delete(pageMails).where(eq(pageMails.pk, unwanted(mail)));
}

/**
 * The page of a subscription, which may be off, whether it is confirmed, and its components; undefined for an unknown token.
 */
export async function findSubscription(
  tx: Tx,
  token: string,
): Promise<(SubscribedPage & { isConfirmed: boolean; componentIds: string[] | null }) | undefined> {
  const found = await findRow(tx, token);
  return found && { ...found.page, isConfirmed: found.isConfirmed, componentIds: found.componentIds };
}

/**
 * Changes the components that the messages of a subscription are about. @param componentIds null for all
 *
 * @returns as `findSubscription` @throws AppError `invalid` for a component that the page does not have
 */
export async function chooseComponents(
  tx: Tx,
  token: string,
  componentIds: string[] | null,
): Promise<SubscribedPage | undefined> {
  const found = await findRow(tx, token);
  if (!found) return undefined;
  if (componentIds) await assertComponents(tx, found.pagePk, componentIds);
  const { pageSubscribers } = tx.tables;
  await tx.db.update(pageSubscribers).set({ componentIds }).where(eq(pageSubscribers.pk, found.pk));
  return found.page;
}

/** Confirms a subscription to a public page, again without effect. @returns as `findSubscription` */
export async function confirmSubscription(tx: TimedTx, token: string): Promise<SubscribedPage | undefined> {
  const found = await findRow(tx, token);
  if (!found?.page.isPublic) return undefined;
  const { pageSubscribers } = tx.tables;
  await tx.db
    .update(pageSubscribers)
    .set({ confirmedAt: tx.now })
    .where(and(eq(pageSubscribers.pk, found.pk), isNull(pageSubscribers.confirmedAt)));
  return found.page;
}

/** Deletes a subscription with its waiting messages. @returns as `findSubscription` */
export async function deleteSubscription(tx: Tx, token: string): Promise<SubscribedPage | undefined> {
  const found = await findRow(tx, token);
  if (!found) return undefined;
  await tx.db.delete(tx.tables.pageSubscribers).where(eq(tx.tables.pageSubscribers.pk, found.pk));
  return found.page;
}

/** By the token alone: a link is valid also after the slug of its page changed. */
async function findRow({ db, tables }: Tx, token: string) {
  const { pages, pageSubscribers } = tables;
  const { slug, title, language, visibility } = pages;
  const [row] = await db
    .select({
      ...{ pk: pageSubscribers.pk, confirmedAt: pageSubscribers.confirmedAt },
      ...{ pagePk: pageSubscribers.pagePk, componentIds: pageSubscribers.componentIds },
      ...{ slug, title, language, visibility },
    })
    .from(pageSubscribers)
    .innerJoin(pages, eq(pages.pk, pageSubscribers.pagePk))
    .where(eq(pageSubscribers.token, token));
  if (!row) return undefined;
  const { pk, pagePk, componentIds, confirmedAt, visibility: shown, ...page } = row;
  return {
    pk,
    pagePk,
    componentIds,
    isConfirmed: confirmedAt !== null,
    page: { ...page, isPublic: isShown(shown) },
  };
}

/** How many rows are deleted at once. */
const BATCH = 100;

/**
 * Deletes some of the subscriptions that were not confirmed in time, and expired times of opt-in messages.
 *
 * @returns whether there may be more
 */
export async function pruneSubscribers({ db, tables, now }: TimedTx): Promise<boolean> {
  const { pageOptIns, pageSubscribers } = tables;
  const { pk, confirmedAt, createdAt } = pageSubscribers;
  const unconfirmed = await db
    .select({ pk })
    .from(pageSubscribers)
    .where(and(isNull(confirmedAt), lt(createdAt, now - UNCONFIRMED_FOR)))
    .limit(BATCH);
  const optIns = await db
    .select({ pk: pageOptIns.pk })
    .from(pageOptIns)
    .where(lt(pageOptIns.sentAt, now - OPT_IN_PERIOD))
    .limit(BATCH);
  const [subscriberPks, optInPks] = [unconfirmed, optIns].map((rows) => rows.map((row) => row.pk));
  if (subscriberPks?.length) await db.delete(pageSubscribers).where(inArray(pk, subscriberPks));
  if (optInPks?.length) await db.delete(pageOptIns).where(inArray(pageOptIns.pk, optInPks));
  return unconfirmed.length === BATCH || optIns.length === BATCH;
}

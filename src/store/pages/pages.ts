import { and, eq, sql } from "drizzle-orm";
import { fault } from "../../domain/faults/fault.ts";
import { isSlug } from "../../domain/pages/page-look.ts";
import { type PasswordHash, passwordOf, type Sealed } from "../../domain/pages/page-password.ts";
import {
  type NewPage,
  PAGE_DEFAULTS,
  PAGE_SETTINGS,
  type Page,
  type PageChanges,
  withStoredIds,
} from "../../domain/pages/page-request.ts";
import { pick } from "../../domain/pick.ts";
import { MASK } from "../../domain/schemas/mask.ts";
import { notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { auditCreation, auditDeletion, auditUpdate } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import { assertRefFree, findIdByRef } from "../refs.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { listComponents, replaceComponents } from "./components.ts";
import { listReserved, releaseSlugs, takeSlug } from "./page-rows.ts";

export type PageRow = Tx["tables"]["pages"]["$inferSelect"];

/** @throws AppError `invalid` if the slug is taken, if the ref is, then for a component */
export async function createPage(
  tx: TimedTx,
  organizationId: string,
  request: Sealed<NewPage>,
): Promise<Page> {
  const { slug, title, ref } = request;
  const passwordHash = passwordOf<PasswordHash>(undefined, request);
  const organization = await organizationPk(tx, organizationId);
  await assertFree(tx, { slug, organizationPk: organization });
  await assertRefFree(tx, { table: tx.tables.pages, organizationPk: organization, ref });
  await takeSlug(tx, slug);
  const required = { id: createId(), organizationPk: organization, slug, title: title.trim() };
  const { password: _, ...defaults } = PAGE_DEFAULTS;
  const values = {
    ...defaults,
    ...valuesOf(request),
    ...required,
    passwordHash,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  const [created] = await tx.db.insert(tx.tables.pages).values(values).returning();
  if (!created) throw new Error("the insert returned no page");
  await replaceComponents(tx, { page: created, components: request.components ?? [] });
  await auditCreation(tx, auditedAs(created), request);
  return onePage(tx, created);
}

/** Oldest first. @throws AppError `not_found` if the organization does not exist */
export async function listPages(tx: Tx, organizationId: string): Promise<Page[]> {
  const { pages } = tx.tables;
  const ofOrganization = eq(pages.organizationPk, await organizationPk(tx, organizationId));
  const rows = await tx.db.select().from(pages).where(ofOrganization).orderBy(pages.pk);
  const components = await listComponents(tx, ofOrganization);
  return rows.map((row) => asPage(row, components));
}

/** @throws AppError `not_found` */
export async function findPage(tx: Tx, organizationId: string, id: string): Promise<Page> {
  return onePage(tx, await findPageRow(tx, organizationId, id));
}

/** @throws AppError `not_found`, then `invalid` as `createPage` */
export async function updatePage(
  tx: TimedTx,
  organizationId: string,
  id: string,
  request: Sealed<PageChanges>,
): Promise<Page> {
  const row = await findPageRow(tx, organizationId, id);
  const before = await onePage(tx, row);
  const { pk, organizationPk: organization } = row;
  const { ref, slug } = request;
  const { visibility, passwordHash: password } = row;
  const passwordHash = passwordOf({ visibility, password }, request);
  const isMoved = slug !== undefined && slug !== row.slug;
  if (isMoved) await assertFree(tx, { slug, organizationPk: organization });
  await assertRefFree(tx, { table: tx.tables.pages, organizationPk: organization, ref, except: pk });
  if (isMoved) await moveSlug(tx, row, slug);
  const updated = await revisePage(tx, row, { now: tx.now, changes: { ...valuesOf(request), passwordHash } });
  if (request.components) await replaceComponents(tx, { page: updated, components: request.components });
  const after = await onePage(tx, updated);
  await auditUpdate(tx, auditedAs(updated), {
    before: { ...before, password },
    after: { ...after, password: passwordHash },
  });
  return after;
}

/**
 * Creates the page with a ref, or replaces it in full (behavior 16.4, 16.5, 16.7).
 *
 * @throws AppError `invalid` as `createPage`
 */
export async function createOrReplacePage(
  tx: TimedTx,
  organizationId: string,
  request: Sealed<NewPage> & { ref: string },
): Promise<{ isNew: boolean; page: Page }> {
  const organization = await organizationPk(tx, organizationId);
  const stored = { table: tx.tables.pages, organizationPk: organization, ref: request.ref };
  const id = await findIdByRef(tx, stored);
  if (id !== undefined) return { isNew: false, page: await replacePage(tx, organizationId, id, request) };
  return { isNew: true, page: await createPage(tx, organizationId, request) };
}

/**
 * Gives a page exactly the values of a request: what it does not give gets the default of a new one. Its components keep their
 * IDs, and the page keeps its password if its visibility stays.
 *
 * @throws AppError `not_found`, then `invalid` as `createPage`
 */
export async function replacePage(
  tx: TimedTx,
  organizationId: string,
  id: string,
  request: Sealed<NewPage>,
): Promise<Page> {
  const stored = await findPage(tx, organizationId, id);
  const components = withStoredIds(request.components ?? [], stored.components);
  const { password: _, ...defaults } = PAGE_DEFAULTS;
  const values = { ...defaults, description: "", ...request, components };
  return updatePage(tx, organizationId, id, values);
}

/** Deletes a page with its components, incidents and subscribers. @throws AppError `not_found` */
export async function deletePage(tx: TimedTx, organizationId: string, id: string): Promise<{ id: string }> {
  const row = await findPageRow(tx, organizationId, id);
  await tx.db.delete(tx.tables.pages).where(eq(tx.tables.pages.pk, row.pk));
  await releaseSlugs(tx, { organizationPk: row.organizationPk, slugs: [row.slug] }, tx.now);
  await auditDeletion(tx, auditedAs(row), row);
  return { id };
}

/** The hash of the password of a page, by its ID or its ref; null without a page, and for a page without a password. */
export async function findPasswordHash(
  tx: Tx,
  organizationId: string,
  named: { id: string } | { ref: string },
): Promise<PasswordHash | null> {
  const { pages } = tx.tables;
  const ofOrganization = eq(pages.organizationPk, await organizationPk(tx, organizationId));
  const isNamed = "id" in named ? eq(pages.id, named.id) : eq(pages.ref, named.ref);
  const { passwordHash } = pages;
  const [row] = await tx.db.select({ passwordHash }).from(pages).where(and(ofOrganization, isNamed));
  return row?.passwordHash ?? null;
}

/** @throws AppError `not_found` */
export async function findPageRow(tx: Tx, organizationId: string, id: string): Promise<PageRow> {
  const { pages } = tx.tables;
  const ofOrganization = eq(pages.organizationPk, await organizationPk(tx, organizationId));
  const [row] = await tx.db
    .select()
    .from(pages)
    .where(and(eq(pages.id, id), ofOrganization));
  if (!row) throw notFound();
  return row;
}

/** Counts a change of a page, its components or its incidents, so that what was rendered is rendered again (behavior 15.17). */
export async function revisePage(
  { db, tables: { pages } }: Tx,
  { pk }: Pick<PageRow, "pk">,
  { now, changes = {} }: { now: number; changes?: Partial<PageRow> },
): Promise<PageRow> {
  const revision = sql`${pages.revision} + 1`;
  const values = { ...changes, revision, updatedAt: now };
  const [updated] = await db.update(pages).set(values).where(eq(pages.pk, pk)).returning();
  if (!updated) throw notFound();
  return updated;
}

/** The previous slug is reserved, except the placeholder of an apply, which has reserved it already. */
async function moveSlug(tx: TimedTx, row: PageRow, slug: string): Promise<void> {
  const { organizationPk, slug: previous } = row;
  if (isSlug(previous)) await releaseSlugs(tx, { organizationPk, slugs: [previous] }, tx.now);
  await takeSlug(tx, slug);
}

/** @throws AppError `invalid` if a page of any organization has the slug, or it is reserved for another organization */
async function assertFree(
  tx: TimedTx,
  { slug, organizationPk }: { slug: string; organizationPk: number },
): Promise<void> {
  const { pages } = tx.tables;
  const [taken] = await tx.db.select({ pk: pages.pk }).from(pages).where(eq(pages.slug, slug));
  const reserved = await listReserved(tx, { organizationPk, slugs: [slug] });
  if (taken || reserved.length > 0) throw fault("taken", { field: "slug" });
}

/** The columns that a request sets. */
function valuesOf({
  components: _,
  password: __,
  title,
  description,
  logo,
  ...values
}: Sealed<PageChanges>): Partial<PageRow> {
  return {
    ...(Object.fromEntries(given(values)) as Partial<PageRow>),
    // The logo of a response keeps the stored one.
    ...((typeof logo === "string" || logo === null) && { logo }),
    ...(title !== undefined && { title: title.trim() }),
    ...(description !== undefined && { description: description === "" ? null : description }),
  };
}

function given(values: object): [string, unknown][] {
  return Object.entries(values).filter(([, value]) => value !== undefined);
}

async function onePage(tx: Tx, row: PageRow): Promise<Page> {
  return asPage(row, await listComponents(tx, eq(tx.tables.pages.pk, row.pk)));
}

function asPage(row: PageRow, components: Awaited<ReturnType<typeof listComponents>>): Page {
  const { id, slug, title, ref } = row;
  const password = row.passwordHash === null ? null : MASK;
  const settings = pick({ ...row, password }, PAGE_SETTINGS);
  return { id, slug, title, ...settings, components: components.get(row.pk) ?? [], ref };
}

function auditedAs({ organizationPk: organization, id, title }: PageRow) {
  return { organizationPk: organization, type: "page", id, name: title } as const;
}

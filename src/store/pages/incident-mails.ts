import { and, eq, inArray } from "drizzle-orm";
import type { PageMail } from "../../domain/pages/page-mail.ts";
import type { Tx } from "../tx.ts";
import { createPageMails } from "./page-mails.ts";

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

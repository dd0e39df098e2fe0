import { and, eq, isNotNull, sql } from "drizzle-orm";
import { organizationPk } from "../accounts/organizations.ts";
import type { Database } from "../sqlite/open.ts";
import { checkResults, details, monitorStates, monitors } from "../sqlite/schema.ts";

/** @property end ISO 8601 */
export interface CertificateExpiry {
  name: string;
  end: string;
}

/** When the certificates end that the latest checks of the TLS monitors of an organization saw, paused ones left out. */
export async function listCertificateExpiries(
  db: Database,
  organizationId: string,
): Promise<CertificateExpiry[]> {
  const end = sql<string>`${details.text} ->> 'validTo'`;
  return db
    .select({ name: monitors.name, end })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .innerJoin(checkResults, eq(checkResults.pk, monitorStates.lastResultPk))
    .innerJoin(details, eq(details.pk, checkResults.detailPk))
    .where(
      and(
        eq(monitors.organizationPk, organizationPk(db, organizationId)),
        eq(monitors.type, "TLS"),
        eq(monitors.enabled, true),
        isNotNull(end),
      ),
    )
    .all();
}

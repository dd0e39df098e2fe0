import { and, eq } from "drizzle-orm";
import { organizationPk } from "../accounts/organizations.ts";
import type { Tx } from "../tx.ts";

/** @property end ISO 8601 */
export interface CertificateExpiry {
  name: string;
  end: string;
}

/** The expiry of the certificate that the latest check of each enabled TLS monitor of an organization saw. */
export async function listCertificateExpiries(tx: Tx, organizationId: string): Promise<CertificateExpiry[]> {
  const { checkResults, details, monitorStates, monitors } = tx.tables;
  const rows = await tx.db
    .select({ name: monitors.name, text: details.text })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .innerJoin(checkResults, eq(checkResults.pk, monitorStates.lastResultPk))
    .innerJoin(details, eq(details.pk, checkResults.detailPk))
    .where(
      and(
        eq(monitors.organizationPk, await organizationPk(tx, organizationId)),
        eq(monitors.type, "TLS"),
        eq(monitors.enabled, true),
      ),
    );
  return rows.flatMap(({ name, text }) => {
    const { validTo } = JSON.parse(text);
    return typeof validTo === "string" ? [{ name, end: validTo }] : [];
  });
}

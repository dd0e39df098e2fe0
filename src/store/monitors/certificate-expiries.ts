import { organizationPk } from "../accounts/organizations.ts";
import type { Sql } from "../tx.ts";

/** @property end ISO 8601 */
export interface CertificateExpiry {
  name: string;
  end: string;
}

const LIST = `SELECT monitors.name, details.text FROM monitors
  JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  JOIN details ON details.pk = monitor_states.last_detail_pk
  WHERE monitors.organization_pk = $1 AND monitors.type = 'TLS' AND monitors.enabled`;

/** The expiry of the certificate that the latest check of each enabled TLS monitor of an organization saw. */
export async function listCertificateExpiries(
  sql: Sql,
  organizationId: string,
): Promise<CertificateExpiry[]> {
  const rows = await sql.query<{ name: string; text: string }>(LIST, [
    await organizationPk(sql, organizationId),
  ]);
  return rows.flatMap(expiriesOf);
}

/** @param text the detail of the latest result, in JSON @returns none if the check saw no certificate */
function expiriesOf({ name, text }: { name: string; text: string }): CertificateExpiry[] {
  const { validTo } = JSON.parse(text);
  return typeof validTo === "string" ? [{ name, end: validTo }] : [];
}

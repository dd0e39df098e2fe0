import { organizationPk } from "../../accounts/organizations.ts";
import { type CertificateExpiry, expiriesOf } from "../../monitors/certificate-expiries.ts";
import type { Sql } from "../../tx.ts";

const LIST = `SELECT monitors.name, details.text FROM monitors
  JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  JOIN details ON details.pk = monitor_states.last_detail_pk
  WHERE monitors.organization_pk = $1 AND monitors.type = 'TLS' AND monitors.enabled`;

export async function listCertificateExpiries(
  sql: Sql,
  organizationId: string,
): Promise<CertificateExpiry[]> {
  const rows = await sql.query<{ name: string; text: string }>(LIST, [
    await organizationPk(sql, organizationId),
  ]);
  return rows.flatMap(expiriesOf);
}

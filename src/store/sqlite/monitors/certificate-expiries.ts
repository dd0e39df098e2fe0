import { organizationPk } from "../../accounts/organizations.ts";
import { type CertificateExpiry, expiriesOf } from "../../monitors/certificate-expiries.ts";
import { type Database, prepared, sqlOf } from "../open.ts";

const LIST = `SELECT monitors.name, details.text FROM monitors
  JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  JOIN check_results ON check_results.pk = monitor_states.last_result_pk
  JOIN details ON details.pk = check_results.detail_pk
  WHERE monitors.organization_pk = ? AND monitors.type = 'TLS' AND monitors.enabled`;

export async function listCertificateExpiries(
  db: Database,
  organizationId: string,
): Promise<CertificateExpiry[]> {
  const list = prepared<{ name: string; text: string }, [number]>(db, LIST);
  return list.all(await organizationPk(sqlOf(db), organizationId)).flatMap(expiriesOf);
}

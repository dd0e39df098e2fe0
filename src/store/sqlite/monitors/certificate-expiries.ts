import { type CertificateExpiry, expiriesOf } from "../../monitors/certificate-expiries.ts";
import { type Database, prepared } from "../open.ts";
import { organizationPk } from "../organization-pk.ts";

const LIST = `SELECT monitors.name, details.text FROM monitors
  JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  JOIN check_results ON check_results.pk = monitor_states.last_result_pk
  JOIN details ON details.pk = check_results.detail_pk
  WHERE monitors.organization_pk = ? AND monitors.type = 'TLS' AND monitors.enabled`;

export function listCertificateExpiries(db: Database, organizationId: string): CertificateExpiry[] {
  const list = prepared<{ name: string; text: string }, [number]>(db, LIST);
  return list.all(organizationPk(db, organizationId)).flatMap(expiriesOf);
}

/** @property end ISO 8601 */
export interface CertificateExpiry {
  name: string;
  end: string;
}

/** @param text the detail of the latest result, in JSON @returns none if the check saw no certificate */
export function expiriesOf({ name, text }: { name: string; text: string }): CertificateExpiry[] {
  const { validTo } = JSON.parse(text);
  return typeof validTo === "string" ? [{ name, end: validTo }] : [];
}

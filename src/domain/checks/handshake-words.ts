/** The abilities of stillup in a handshake, for servers that have none of them. */
const OFFERED = "the groups X25519, P-256 and P-384, and keys of RSA, ECDSA and Ed25519 but not of RSA-PSS";

/** Alerts of a server (RFC 8446, 6), by the name that the TLS library gives them. */
const ALERTS: Record<string, string> = {
  HANDSHAKE_FAILURE: `the server refuses it: it has nothing in common with stillup, which takes ${OFFERED}, or it requires a client certificate`,
  INSUFFICIENT_SECURITY: `the server refuses it: it demands more than stillup offers, which takes ${OFFERED}`,
  CERTIFICATE_REQUIRED: "the server requires a client certificate",
  NO_CERTIFICATE: "the server requires a client certificate",
  BAD_CERTIFICATE: "the server refuses the client certificate",
  UNKNOWN_CA: "the server does not trust the issuer of the client certificate",
  ACCESS_DENIED: "the server denies access",
  PROTOCOL_VERSION: "the server has no version of TLS in common with stillup",
  UNRECOGNIZED_NAME: "the server does not know the name of the host",
  NO_APPLICATION_PROTOCOL: "the server does not offer the protocol of the check",
  INTERNAL_ERROR: "the server reports an internal error",
};

/** Faults that stillup finds in what a server sends, by the name that the TLS library gives them. */
const FAULTS: Record<string, string> = {
  WRONG_VERSION_NUMBER: "the server does not speak TLS on that port",
  UNSUPPORTED_PROTOCOL: "the server has no version of TLS in common with stillup",
  NO_SUPPORTED_VERSIONS_ENABLED: "the server has no version of TLS in common with stillup",
  CERTIFICATE_VERIFY_FAILED: "the certificate does not verify",
};

/** Why a handshake failed, in words. @param code of the TLS library, for example `ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED` */
export function handshakeWords(code: string): string {
  const name = code.replace(/^ERR_(SSL|OSSL|TLS)_/, "");
  const [, alert] = /^(?:SSLV3|TLSV1)_ALERT_(\w+)$/.exec(name) ?? [];
  if (alert !== undefined) return ALERTS[alert] ?? `the server sent the alert "${plain(alert)}"`;
  return FAULTS[name] ?? `the server breaks the rules of TLS (${plain(name)})`;
}

/** A code in small letters. A rare one needs no sentence of its own. */
export function plain(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}

import { faultWords, handshakeWords, isCertificateFault } from "../checks/certificate.ts";
import type { TlsEvidence, Why } from "./evidence.ts";
import { type Failure, factsOf, isRedirected, nameIn, reasonOf } from "./failure.ts";

/** A handshake that failed, or whose certificate is not valid. */
export function handshake(failure: Failure): Why {
  const facts = factsOf(failure);
  const tls = facts?.tls ?? null;
  const error = tls?.error ?? null;
  const [leaf] = tls?.chain ?? [];
  if (tls && leaf && error !== null && isCertificateFault(error))
    return { layer: "tls", summary: invalidCertificate(failure, tls) };
  if (facts?.step === "tls" && reasonOf(failure) === "closed")
    return { layer: "tls", summary: "The server closed the connection during the TLS handshake" };
  if (error !== null && /^ERR_(SSL|OSSL|TLS)_/.test(error))
    return { layer: "tls", summary: `The TLS handshake failed: ${handshakeWords(error)}` };
  return { layer: "tls", summary: "The TLS handshake failed" };
}

const NAME_FAULTS: ReadonlySet<string> = new Set(["ERR_TLS_CERT_ALTNAME_INVALID", "HOSTNAME_MISMATCH"]);

function invalidCertificate(failure: Failure, { chain, error, names = [] }: TlsEvidence): string {
  const [leaf] = chain;
  const code = error ?? "";
  const known = isRedirected(failure) ? null : (failure.good?.certificate ?? null);
  const isNew = known !== null && known !== leaf?.fingerprint;
  const lead = isNew ? "The certificate changed at this check: it" : "The certificate";
  if (code === "CERT_HAS_EXPIRED") return `${lead} expired on ${dayOf(leaf?.validTo)}`;
  if (!NAME_FAULTS.has(code)) return `${lead} is not valid${isNew ? "," : ":"} ${faultWords(code)}`;
  const valid = names.find(isHostName);
  const host = nameIn(failure);
  return valid === undefined
    ? `${lead} is not valid for ${host}`
    : `${lead} is valid for ${valid}, not for ${host}`;
}

/** A certificate is a text of the server: only a name of a host is shown of it. */
function isHostName(name: string): boolean {
  return name.length <= 100 && /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(name);
}

/** The certificate of a TLS monitor, or of an HTTPS monitor that warns of its end. */
export function endingCertificate({ observation, seen }: Failure): Why | null {
  const certificate = "certificate" in observation ? observation.certificate : undefined;
  const tls = "tls" in observation ? observation.tls : undefined;
  const validTo = certificate?.validTo ?? tls?.validTo;
  if (validTo === undefined) return null;
  if (seen.status !== "expired")
    return { layer: "tls", summary: `The certificate expires on ${dayOf(validTo)}` };
  const from = certificate?.validFrom;
  const hasEnded = from === undefined || seen.detail?.validTo !== undefined;
  return {
    layer: "tls",
    summary: hasEnded ? `The certificate expired on ${dayOf(validTo)}` : "The certificate is not valid yet",
  };
}

function dayOf(time: string | undefined): string {
  return time?.slice(0, 10) ?? "an unknown day";
}

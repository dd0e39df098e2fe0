import { X509Certificate } from "node:crypto";
import { describeCertificate } from "../../../src/probes/certified-handshake.ts";
import { readTls } from "../../../src/probes/connections/handshake.ts";
import { ProbeError } from "../../../src/probes/probe-error.ts";
import type { Verdict } from "../protocol.ts";
import type { CertificateInput, CertificateTruth } from "./input.ts";

const SOCKET = {
  authorized: false,
  authorizationError: new Error("self-signed"),
  getProtocol: () => "TLSv1.3",
};

type Described = ReturnType<typeof describeCertificate>;

/** Reads a certificate as the TLS monitor and as the facts of HTTPS checks do. */
export function judgeCertificate({ der, truth }: CertificateInput): Verdict {
  const bytes = Buffer.from(der, "latin1");
  const described = describe(bytes);
  const facts = factsOf(bytes);
  if (described === undefined) {
    const isWrong = truth !== null || facts !== undefined;
    return {
      outcome: "malformed",
      violation: isWrong ? "a certificate is malformed only for one monitor" : undefined,
    };
  }
  const violation =
    misshapen(described) ??
    (facts && facts.validTo !== described.validTo
      ? `${facts.validTo} instead of ${described.validTo}`
      : undefined) ??
    (truth ? differs(described, facts, truth) : undefined);
  return { outcome: "certificate", violation };
}

function describe(bytes: Buffer): Described | undefined {
  try {
    return describeCertificate(bytes, SOCKET);
  } catch (error) {
    if (error instanceof ProbeError && error.reason === "tls_failed") return undefined;
    throw error;
  }
}

function factsOf(bytes: Buffer) {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(bytes);
  } catch {
    return undefined;
  }
  const cipher = { standardName: "TLS_AES_128_GCM_SHA256" };
  return readTls({
    certificate,
    cipher,
    protocol: "TLSv1.3",
    fault: undefined,
    issuer: () => ({ raw: bytes }),
  });
}

const TIME = /^(\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/;

function misshapen({ validFrom, validTo, subject, issuer, fingerprint }: Described): string | undefined {
  if (!TIME.test(validFrom) || !TIME.test(validTo)) return `misshapen time ${validFrom} or ${validTo}`;
  if (/\n/.test(subject + issuer)) return "misshapen subject with a line feed";
  return /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/.test(fingerprint)
    ? undefined
    : `misshapen fingerprint ${fingerprint}`;
}

function differs(
  described: Described,
  facts: ReturnType<typeof factsOf>,
  truth: CertificateTruth,
): string | undefined {
  const { validFrom, validTo, names } = described;
  const isNamed =
    names.length === truth.names.length &&
    truth.names.every(({ text, isQuoted }, at) => {
      const name = names[at] ?? "";
      return isQuoted ? /^".*"$/.test(name) : name === text;
    });
  const found = { validFrom, validTo, names: isNamed ? truth.names : names, advice: facts?.advice };
  const [seen, wanted] = [found, truth].map((one) => JSON.stringify(one));
  return seen === wanted ? undefined : `${seen} instead of ${wanted}`;
}

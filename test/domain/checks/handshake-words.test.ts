import { expect, test } from "bun:test";
import { describeFailure } from "../../../src/alerts/post.ts";
import { faultWords, handshakeWords } from "../../../src/domain/checks/certificate.ts";
import { asProbeError } from "../../../src/probes/probe-error.ts";

const CODE = /[A-Z0-9]+_[A-Z0-9]+/;

test.each([
  ["ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED", "the server requires a client certificate"],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "P-256 and P-384"],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "not of RSA-PSS"],
  ["ERR_SSL_TLSV1_ALERT_DECODE_ERROR", 'the server sent the alert "decode error"'],
  ["ERR_SSL_WRONG_SIGNATURE_TYPE", "the server breaks the rules of TLS (wrong signature type)"],
  ["ERR_SSL_UNSUPPORTED_PROTOCOL", "no version of TLS in common"],
])("behavior 1.65: a handshake that fails with %s", (code, words) => {
  expect(handshakeWords(code)).toContain(words);
  const error = Object.assign(new Error(code), { code });
  expect(asProbeError(error)?.message).toContain(words);
  expect(describeFailure(error, "the receiver")).toContain(words);
  expect(handshakeWords(code)).not.toMatch(CODE);
});

/** The results of the verification of a certificate that Node knows by name. */
const RESULTS = [
  ...["UNABLE_TO_GET_ISSUER_CERT", "UNABLE_TO_GET_CRL", "UNABLE_TO_DECRYPT_CERT_SIGNATURE"],
  ...["UNABLE_TO_DECRYPT_CRL_SIGNATURE", "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY", "CERT_SIGNATURE_FAILURE"],
  ...[
    "CRL_SIGNATURE_FAILURE",
    "CERT_NOT_YET_VALID",
    "CERT_HAS_EXPIRED",
    "CRL_NOT_YET_VALID",
    "CRL_HAS_EXPIRED",
  ],
  ...["ERROR_IN_CERT_NOT_BEFORE_FIELD", "ERROR_IN_CERT_NOT_AFTER_FIELD", "OUT_OF_MEM"],
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"],
  ...["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERT_CHAIN_TOO_LONG", "CERT_REVOKED", "INVALID_CA"],
  ...["PATH_LENGTH_EXCEEDED", "INVALID_PURPOSE", "CERT_UNTRUSTED", "CERT_REJECTED", "HOSTNAME_MISMATCH"],
  ...["UNSPECIFIED", "ERR_TLS_CERT_ALTNAME_INVALID"],
];

test.each(RESULTS)("behavior 1.65: a certificate that does not verify because of %s", (code) => {
  expect(faultWords(code)).toMatch(/^its? /);
  expect(faultWords(code)).not.toMatch(/[A-Z]{3}/);
});

test("behavior 1.65, 5.19: a delivery to a receiver whose certificate is self-signed", () => {
  const error = Object.assign(new Error(), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  expect(describeFailure(error, "the receiver")).toBe(
    "the receiver could not be reached: the certificate is not valid: it is self-signed",
  );
});

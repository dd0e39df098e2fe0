import { ACTIVE, breaks, type Change, course, down, keeps, type Scenario, unhealthy } from "../scenario.ts";
import type { Kind } from "../world/certificates.ts";
import { serves } from "../world/changes.ts";
import { tls } from "../world/tls.ts";
import { GOOD_HTTPS, GOOD_TLS, httpsMonitor, tlsMonitor } from "./plain.ts";

const shows = (kind: Kind): Change => serves(tls(kind));

/** The certificates of servers. A website with an invalid certificate is down; a TLS monitor looks at its dates. */
export const certificates: Scenario[] = [
  untrusted("https-expired", "the certificate has expired", "expired"),
  untrusted("https-not-yet", "the certificate is not valid yet", "not yet valid"),
  untrusted("https-wrong-name", "the certificate is for another name", "wrong name"),
  untrusted("https-self-signed", "the certificate is signed by itself", "self-signed"),
  untrusted("https-unknown-authority", "nobody knows the authority of the certificate", "unknown authority"),
  untrusted("https-incomplete-chain", "the intermediate certificate is not sent", "incomplete chain"),
  untrusted("https-expired-intermediate", "the intermediate certificate has expired", "expired intermediate"),
  trusted("https-renewed", "the certificate is renewed", "valid"),
  trusted("https-chain", "an intermediate authority has issued the certificate", "complete chain"),
  trusted("https-long-chain", "more certificates are sent, in another order", "chain with more certificates"),
  untrusted(
    "https-far-wildcard",
    "the certificate is for all names of the domain above",
    "wildcard of the parent",
  ),
  trusted("https-capitals", "the name in the certificate has capitals", "name in capitals"),
  trusted("https-500-names", "the certificate is for 501 names, and the last one is right", "name among 500"),
  trusted("https-rsa-2048", "the key of the certificate has 2,048 bits of RSA", "RSA of 2048 bits"),
  keeps(
    "https-dot",
    "the name ends with a dot",
    (spot) => httpsMonitor({ url: `https://${spot.host}.:${spot.port}/` })(spot),
    shows("valid"),
    GOOD_HTTPS,
  ),
  trusted("https-wildcard", "the certificate is for all names of the domain", "wildcard"),
  trusted(
    "https-3-days",
    "the certificate expires in three days, which nobody asked about",
    "expires in 3 days",
  ),
  keeps(
    "https-unverified",
    "the certificate is for another name and the monitor does not verify it",
    httpsMonitor({ verifyTls: false }),
    shows("wrong name"),
    GOOD_HTTPS,
  ),
  course("https-warning", "the certificate expires in three days", httpsMonitor({ expiryWarning: 14 }), [
    GOOD_HTTPS,
    [shows("expires in 3 days"), unhealthy("degraded", "tls", { reasons: ["expires_soon"] })],
    [shows("expired"), down("tls", "tls_invalid")],
    GOOD_HTTPS,
  ]),
  dated("tls-expired", "the certificate has expired", "expired", "expired"),
  dated("tls-not-yet", "the certificate is not valid yet", "not yet valid", "expired"),
  dated("tls-an-hour", "the certificate expires in an hour", "expires in an hour", "expiring_soon"),
  dated("tls-3-days", "the certificate expires in three days", "expires in 3 days", "expiring_soon"),
  course("tls-gets-worse", "the certificate expires soon, has expired, and is renewed", tlsMonitor(), [
    GOOD_TLS,
    [shows("expires in 3 days"), unhealthy("expiring_soon", "tls")],
    [shows("expired"), unhealthy("expired", "tls")],
    GOOD_TLS,
  ]),
  advised("tls-sha-1", "the certificate is signed with SHA-1", "signed with SHA-1", "weak_signature"),
  advised("tls-rsa-1024", "the key of the certificate has 1,024 bits", "RSA of 1024 bits", "weak_key"),
  advised(
    "tls-incomplete-chain",
    "the intermediate certificate is not sent",
    "incomplete chain",
    "incomplete_chain",
  ),
  unnoticed("tls-wrong-name", "the certificate is for another name", "wrong name"),
  unnoticed("tls-self-signed", "the certificate is signed by itself", "self-signed"),
  unnoticed("tls-renewed", "the certificate is renewed", "valid"),
  course("tls-alternating", "two servers with different certificates are behind one name", tlsMonitor(), [
    GOOD_TLS,
    [alternates("valid", "expires in 3 days"), unhealthy("expiring_soon", "tls", { sees: ["active"] })],
    [alternates("valid", "expires in 3 days"), unhealthy("expiring_soon", "tls", { sees: ["active"] })],
  ]),
];

function untrusted(name: string, about: string, kind: Kind): Scenario {
  return breaks(name, about, httpsMonitor(), [shows(kind), down("tls", "tls_invalid")], GOOD_HTTPS);
}

function trusted(name: string, about: string, kind: Kind): Scenario {
  return keeps(name, about, httpsMonitor(), shows(kind), GOOD_HTTPS);
}

function dated(name: string, about: string, kind: Kind, status: "expired" | "expiring_soon"): Scenario {
  return breaks(name, about, tlsMonitor(), [shows(kind), unhealthy(status, "tls")], GOOD_TLS);
}

function unnoticed(name: string, about: string, kind: Kind): Scenario {
  return keeps(name, about, tlsMonitor(), shows(kind), GOOD_TLS);
}

/** It is no trouble, but the report says it. */
function advised(
  name: string,
  about: string,
  kind: Kind,
  advice: NonNullable<typeof ACTIVE.advice>[number],
): Scenario {
  return course(name, about, tlsMonitor(), [GOOD_TLS, [shows(kind), { ...ACTIVE, advice: [advice] }]]);
}

/** By turns, a connection each. */
function alternates(...kinds: Kind[]): Change {
  return serves(async (spot) => {
    const handlers = await Promise.all(kinds.map((kind) => tls(kind)(spot)));
    return (socket, nth) => handlers[nth % handlers.length]?.(socket, nth);
  });
}

/** Scenarios of each class that take little time, and do not depend on how quick a machine is. */
export const SAMPLE: readonly string[] = [
  ...[
    "nxdomain",
    "cut-record",
    "dead-first",
    "moved-to-closed",
    "ipv6-silent",
    "refused",
    "resets-status-line",
  ],
  ...[
    "https-no-tls",
    "https-half-hello",
    "https-expired",
    "tls-incomplete-chain",
    "garbage-first",
    "only-interim",
  ],
  ...["body-json-cut", "body-gzip-bomb", "redirect-loop", "redirect-secret", "too-slow", "every-second"],
  ...["brown-out-resets", "one-503", "half-breaks", "job-fails", "own-dns-servfail", "mail-closes-within"],
  ...["reach-proxy-asks-login", "reach-step-fails", "reach-changed-page", "receiver-500"],
];

/** Scenarios of each class that take little time, and do not depend on how quick a machine is. */
export const SAMPLE: readonly string[] = [
  ...["nxdomain", "cut-record", "site-servfail", "truncated", "dead-first"],
  ...["moved-to-closed", "moved-to-silent", "five-closed", "ipv6-silent"],
  ...["refused", "empty-reply", "resets-status-line", "text-closed", "tcp-resets-at-once"],
  ...["https-no-tls", "tls-hello-reset", "https-half-hello", "tls-in-pieces"],
  ...["https-expired", "https-warning", "tls-gets-worse", "tls-incomplete-chain", "https-chain"],
  ...["garbage-first", "endless-headers", "only-interim", "folded-header"],
  ...["body-json-cut", "body-gzip-bomb", "body-endless-chunks", "body-stalls", "body-gzip-twice"],
  ...["redirect-loop", "redirect-expired", "redirect-secret"],
  ...["too-slow", "just-in-time"],
  ...["every-second", "brown-out-resets"],
  ...["one-503", "https-one-expired", "tcp-one-silent"],
  ...["half-breaks", "job-fails"],
  ...["own-dns-servfail", "dies-while-network-is-gone", "stopped-often"],
  ...["mail-closes-within", "smtp-closed", "receiver-500"],
];

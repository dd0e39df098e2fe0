import { describeCertificate } from "../../../src/probes/certified-handshake.ts";
import { bits, element, explicit, integer, nothing, octets, oid, sequence, set, utf8 } from "../tls/der.ts";
import type { Shape } from "./shape.ts";

const SHA256 = sequence(oid("1.2.840.113549.1.1.11"), nothing);
const COMMON_NAME = oid("2.5.4.3");
const [UTC_TIME, DNS_NAME] = [0x17, 0x82];
const SOCKET = {
  authorized: false,
  authorizationError: new Error("self-signed"),
  getProtocol: () => "TLSv1.3",
};

/** @property names encoded */
function certificate({ subject = ["cut.test"], names = [] }: { subject?: string[]; names?: string[] }) {
  const rsa = sequence(integer(`\0\xc3${"\x5a".repeat(255)}`), integer("\x01\0\x01"));
  const tbs = sequence(
    explicit(0, integer("\x02")),
    integer("\x01"),
    SHA256,
    sequence(set(sequence(COMMON_NAME, utf8("Authority")))),
    sequence(element(UTC_TIME, "260101000000Z"), element(UTC_TIME, "270101000000Z")),
    sequence(...subject.map((text) => set(sequence(COMMON_NAME, utf8(text))))),
    sequence(sequence(oid("1.2.840.113549.1.1.1"), nothing), bits(rsa)),
    explicit(3, sequence(sequence(oid("2.5.29.17"), octets(sequence(...names))))),
  );
  return Buffer.from(sequence(tbs, SHA256, bits("\x55".repeat(64))), "latin1");
}

type Parts = Parameters<typeof certificate>[0];

function described(name: string, size: number, partsOf: (size: number) => Parts): Shape {
  return {
    protocol: "tls",
    name,
    size,
    compose(size) {
      const der = certificate(partsOf(size));
      return () => describeCertificate(der, SOCKET);
    },
  };
}

export const tlsShapes: readonly Shape[] = [
  described("many names", 1000, (n) => ({
    names: Array.from({ length: n }, (_, at) => element(DNS_NAME, `${at.toString(36)}.cut.test`)),
  })),
  described("names with other characters", 1000, (n) => ({
    names: Array.from({ length: n }, () => element(DNS_NAME, 'a, DNS:"')),
  })),
  described("long name", 15_000, (n) => ({ names: [element(DNS_NAME, "a.".repeat(n / 2))] })),
  described("long name with other characters", 15_000, (n) => ({
    names: [element(DNS_NAME, '", '.repeat(n / 3))],
  })),
  described("many parts of a subject", 700, (n) => ({ subject: Array.from({ length: n }, () => "a\nO=b") })),
];

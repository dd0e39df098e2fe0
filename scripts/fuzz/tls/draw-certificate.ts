import type { TlsAdvice } from "../../../src/domain/checks/observation.ts";
import type { Draw } from "../../simulator/truth/draw.ts";
import { mutated } from "../bytes/mutate.ts";
import { certificateRecordings, type TlsRecording } from "../recordings/recording.ts";
import { bits, element, explicit, integer, nothing, octets, oid, sequence, set, utf8 } from "./der.ts";
import type { CertificateInput, CertificateTruth, Name } from "./input.ts";

const [UTC_TIME, GENERALIZED_TIME, DNS_NAME, EMAIL, URI, IP_ADDRESS] = [0x17, 0x18, 0x82, 0x81, 0x86, 0x87];

/** Signature algorithms, and whether they are weak. */
const SIGNATURES: readonly [[algorithm: string, isWeak: boolean], ...[string, boolean][]] = [
  [sequence(oid("1.2.840.113549.1.1.11"), nothing), false],
  [sequence(oid("1.2.840.113549.1.1.12"), nothing), false],
  [sequence(oid("1.2.840.10045.4.3.2")), false],
  [sequence(oid("1.3.101.112")), false],
  [sequence(oid("1.2.840.113549.1.1.5"), nothing), true],
  [sequence(oid("1.2.840.113549.1.1.4"), nothing), true],
  [sequence(oid("1.2.840.10045.4.1")), true],
];

const TOKENS = [
  "\0",
  "\xff",
  "\x30",
  "\x80",
  "\x84\xff\xff\xff\xff",
  "\x82\x01\0",
  "\x17\x0d",
  "\x18\x0f",
  "991231235959Z",
  "+0200",
] as const;

export function drawCertificate(draw: Draw): CertificateInput {
  const { der, truth } = draw.chance(0.2) ? recorded(draw) : compose(draw);
  if (draw.chance(0.4)) return { der, truth };
  if (draw.chance(0.2)) return { der: der.slice(0, draw.whole(0, der.length - 1)), truth: null };
  return { der: mutated(der, draw, TOKENS), truth: null };
}

function recorded(draw: Draw): CertificateInput {
  const { bytes } = draw.pick(certificateRecordings as [TlsRecording]);
  return { der: bytes, truth: null };
}

function compose(draw: Draw): { der: string; truth: CertificateTruth } {
  const [from, to] = [drawTime(draw), drawTime(draw)];
  const names = Array.from({ length: draw.whole(0, 3) }, () => drawName(draw));
  const [algorithm, isWeakSignature] = draw.pick(SIGNATURES);
  const key = drawKey(draw);
  const alternative = sequence(oid("2.5.29.17"), octets(sequence(...names.map(({ der }) => der))));
  const version = draw.chance(0.95) ? explicit(0, integer("\x02")) : "";
  const tbs = sequence(
    version,
    integer(draw.pick(["\x01", "\x7f".repeat(20)])),
    algorithm,
    name("Authority"),
    sequence(from.der, to.der),
    name(draw.pick(["cut.test", "a\nO=b", "x".repeat(64)])),
    key.der,
    // Only version 3 has extensions.
    names.length > 0 && version !== "" ? explicit(3, sequence(alternative)) : "",
  );
  const advice: TlsAdvice[] = [];
  if (isWeakSignature) advice.push("weak_signature");
  if (key.isWeak) advice.push("weak_key");
  const shown = version === "" ? [] : names.flatMap(({ name }) => (name ? [name] : []));
  return {
    der: sequence(tbs, algorithm, bits("\x55".repeat(64))),
    truth: { validFrom: from.time, validTo: to.time, names: shown, advice },
  };
}

const name = (text: string) => sequence(set(sequence(oid("2.5.4.3"), utf8(text))));

/** Years up to 2049 have two digits (RFC 5280, 4.1.2.5). An offset is not allowed, but OpenSSL reads it. */
function drawTime(draw: Draw): { der: string; time: string } {
  const year = draw.pick([1950, 1999, 2000, 2026, 2027, 2049, 2050, 9999, 49, 2028]);
  const [month, day] = draw.pick(["0101", "0228", "1231", "0630", "0229"]).match(/../g) ?? [];
  const date = `${month}${month === "02" && day === "29" && year !== 2028 ? "28" : day}`;
  const clock = draw.pick(["000000", "235959", "120030"]);
  const hasTwoDigits = year >= 1950 && year < 2050 && draw.chance(0.7);
  const offset = hasTwoDigits && draw.chance(0.1) ? draw.pick(["+0200", "-1130"]) : "Z";
  const years = String(year).padStart(4, "0");
  const text = `${hasTwoDigits ? years.slice(2) : years}${date}${clock}${offset}`;
  const iso = `${years}-${date.slice(0, 2)}-${date.slice(2)}T${clock.replace(/..(?!$)/g, "$&:")}.000Z`;
  const shift =
    offset === "Z"
      ? 0
      : Number(`${offset[0]}1`) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3)));
  return {
    der: element(hasTwoDigits ? UTC_TIME : GENERALIZED_TIME, text),
    time: new Date(Date.parse(iso) - shift * 60_000).toISOString(),
  };
}

/** @property name as a result shows it, if it does */
function drawName(draw: Draw): { der: string; name?: Name } {
  const plain = (tag: number, bytes: string, text = bytes) => ({
    der: element(tag, bytes),
    name: { text, isQuoted: false },
  });
  const quoted = (bytes: string) => ({
    der: element(DNS_NAME, bytes),
    name: { text: bytes, isQuoted: true },
  });
  const hidden = (tag: number, bytes: string) => ({ der: element(tag, bytes) });
  return draw.pick([
    plain(DNS_NAME, "cut.test"),
    plain(DNS_NAME, "*.cut.test"),
    plain(DNS_NAME, "x".repeat(63)),
    plain(IP_ADDRESS, "\x7f\0\0\x01", "127.0.0.1"),
    plain(IP_ADDRESS, `${"\0".repeat(15)}\x01`, "0:0:0:0:0:0:0:1"),
    quoted("a.test, DNS:b.test"),
    quoted("a.test\0.b.test"),
    quoted('"a'),
    quoted("b\xc3\xbccher.test"),
    hidden(EMAIL, "a@b.test, DNS:c.test"),
    hidden(URI, "https://a.test/, DNS:c.test"),
  ]);
}

/** The point is the one that generates P-256. */
const POINT =
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

function drawKey(draw: Draw): { der: string; isWeak: boolean } {
  const kind = draw.whole(0, 4);
  if (kind === 0) {
    const algorithm = sequence(oid("1.2.840.10045.2.1"), oid("1.2.840.10045.3.1.7"));
    return { der: sequence(algorithm, bits(Buffer.from(POINT, "hex").toString("latin1"))), isWeak: false };
  }
  const length = draw.pick([128, 255, 256, 512]);
  const modulus = `\0\xc3${"\x5a".repeat(length - 2)}\x5b`;
  const algorithm = sequence(oid("1.2.840.113549.1.1.1"), nothing);
  const der = sequence(algorithm, bits(sequence(integer(modulus), integer("\x01\0\x01"))));
  return { der, isWeak: length < 256 };
}

import type { RecordType } from "../../../src/domain/checks/observation.ts";
import type { Draw } from "../../simulator/truth/draw.ts";
import type { MessageWriter, Written } from "./writer.ts";

export type Labels = readonly string[];

/** The numbers of the types (IANA). */
export const TYPE: Record<RecordType, number> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  CAA: 257,
};

/** The data of a record, and what it means in zone file notation, names in lower case. */
interface Data {
  write: Written["data"];
  text: string;
}

const NAMES: readonly [Labels, ...Labels[]] = [
  ["cut", "test"],
  ["www", "cut", "test"],
  ["Mail", "CUT", "test"],
  ["_sip", "_tcp", "x-1", "example"],
  ["b\xc3\xbccher", "test"],
  [],
];

/** As long as a name may be, or almost. */
const LONG_NAMES: readonly [Labels, ...Labels[]] = [
  [...Array.from({ length: 3 }, () => "x".repeat(63)), "x".repeat(61)],
  Array.from({ length: 120 }, () => "y"),
];

export function drawName(draw: Draw): Labels {
  return draw.pick(draw.chance(0.02) ? LONG_NAMES : NAMES);
}

/** Only of this machine, so that no check that believed one would connect to another. */
const ADDRESSES: readonly [[bytes: string, text: string], ...[string, string][]] = [
  ["00000000000000000000000000000001", "::1"],
  ["00000000000000000000ffff7f000001", "::ffff:7f00:1"],
];

export function textOf(labels: Labels): string {
  return labels.length === 0 ? "." : Buffer.from(labels.join("."), "latin1").toString().toLowerCase();
}

export function drawData(draw: Draw, type: RecordType): Data {
  const name = drawName(draw);
  const [one, two, three] = [draw.whole(0, 65_535), draw.whole(0, 65_535), draw.whole(0, 65_535)];
  const uint16 = (writer: MessageWriter, ...values: number[]) => {
    for (const value of values) writer.uint16(value);
  };
  switch (type) {
    case "A":
      return addressOf(draw.whole(0, 255), draw.whole(0, 255), draw.whole(0, 255));
    case "AAAA": {
      const [hex, text] = draw.pick(ADDRESSES);
      return { write: (writer) => writer.raw(Buffer.from(hex, "hex").toString("latin1")), text };
    }
    case "NS":
    case "CNAME":
    case "PTR":
      return { write: (writer) => writer.name(name), text: textOf(name) };
    case "MX":
      return {
        write(writer) {
          uint16(writer, one);
          writer.name(name);
        },
        text: `${one} ${textOf(name)}`,
      };
    case "SRV":
      return {
        write(writer) {
          uint16(writer, one, two, three);
          writer.name(name);
        },
        text: `${one} ${two} ${three} ${textOf(name)}`,
      };
    case "SOA":
      return authorityOf(name, [one, two, three, 0, 2 ** 32 - 1]);
    case "TXT":
      return textData(draw);
    case "CAA":
      return {
        write(writer) {
          writer.uint8(one);
          writer.string("issue");
          writer.raw("ca.test; a=b");
        },
        text: `${one & 0xff} issue "ca.test; a=b"`,
      };
  }
}

function addressOf(...bytes: number[]): Data {
  return {
    write: (writer) => [127, ...bytes].forEach((byte) => void writer.uint8(byte)),
    text: [127, ...bytes].join("."),
  };
}

function authorityOf(name: Labels, numbers: number[]): Data {
  return {
    write(writer) {
      writer.name(name);
      writer.name(["Host.master", "cut", "test"]);
      for (const number of numbers) writer.uint32(number);
    },
    text: [textOf(name), "host\\.master.cut.test", ...numbers].join(" "),
  };
}

const STRINGS = ["v=spf1 -all", "", "caf\xc3\xa9", "x".repeat(255), '"\\'] as const;

function textData(draw: Draw): Data {
  const strings = Array.from({ length: draw.whole(1, 3) }, () => draw.pick(STRINGS));
  return {
    write: (writer) => strings.forEach((one) => void writer.string(one)),
    text: Buffer.from(strings.join(""), "latin1").toString(),
  };
}

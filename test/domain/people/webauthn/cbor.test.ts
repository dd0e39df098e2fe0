import { describe, expect, test } from "bun:test";
import {
  type Cbor,
  decodeCbor,
  decodeCborMap,
} from "../../../../src/domain/people/webauthn/passkey-signature.ts";
import { encodeCbor } from "../../../support/people/cbor-encoder.ts";
import { randomNumbers } from "../../../support/people/random-numbers.ts";

const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"));
const refused = expect.objectContaining({ kind: "invalid" });

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("behavior 19.52: CBOR", () => {
  test.each<[string, Cbor]>([
    ["00", 0],
    ["17", 23],
    ["18 18", 24],
    ["19 03e8", 1000],
    ["1a 000f4240", 1_000_000],
    ["1b 000000e8d4a51000", 1_000_000_000_000],
    ["1b 001fffffffffffff", Number.MAX_SAFE_INTEGER],
    ["20", -1],
    ["39 03e7", -1000],
    ["f4", false],
    ["f5", true],
    ["f6", null],
    ["44 01020304", new Uint8Array([1, 2, 3, 4])],
    ["62 c3bc", "ü"],
    ["83 01 02 03", [1, 2, 3]],
    [
      "a2 01 02 61 61 f5",
      new Map<number | string, Cbor>([
        [1, 2],
        ["a", true],
      ]),
    ],
  ])("%s is %p (examples of RFC 8949, appendix A)", (bytes, value) => {
    expect(decodeCbor(hex(bytes))).toEqual({ value, length: hex(bytes).length });
    expect(decodeCbor(hex(`${bytes} 00`)).length).toBe(hex(bytes).length);
  });

  test.each([
    ["nothing", ""],
    ["a number that is cut", "19 03"],
    ["text that is cut", "62 61"],
    ["a length beyond all memory", "5b 7fffffffffffffff"],
    ["a number that is not exact", "1b 0020000000000000"],
    ["an array of billions", "9a ffffffff"],
    ["a map of billions", "ba ffffffff"],
    ["an indefinite array", "9f 01 ff"],
    ["an indefinite text", "7f 61 61 ff"],
    ["a break", "ff"],
    ["a tag", "c0 61 61"],
    ["a floating-point number", "f9 3c00"],
    ["undefined", "f7"],
    ["another simple value", "f8 ff"],
    ["a reserved length", "1c"],
    ["text that is not UTF-8", "62 c328"],
    ["a key twice", "a2 01 01 01 02"],
    ["a key that is bytes", "a1 41 00 00"],
    ["six levels", "81 81 81 81 81 00"],
    ["201 values", `98 c8 ${"00".repeat(200)}`],
  ])("%s is refused", (_, bytes) => {
    expect(failureOf(() => decodeCbor(hex(bytes)))).toEqual(refused);
  });

  test("of a map has nothing behind it, and is no other value", () => {
    expect(decodeCborMap(hex("a0"))).toEqual(new Map());
    for (const bytes of ["a0 00", "80", "00"])
      expect(failureOf(() => decodeCborMap(hex(bytes)))).toEqual(refused);
  });

  test("is read as it was written, whatever the value", () => {
    const random = randomNumbers(34);
    for (let round = 0; round < 2000; round++) {
      const value = randomValue(random, 3);
      expect(decodeCbor(encodeCbor(value)).value).toEqual(value);
    }
  });
});

function randomValue(random: (limit: number) => number, depth: number): Cbor {
  const kind = random(depth > 0 ? 6 : 4);
  const several = <Item>(create: () => Item) => Array.from({ length: random(4) }, create);
  if (kind === 0) return random(2 ** 31) >> random(31);
  if (kind === 1) return -1 - (random(2 ** 31) >> random(31));
  if (kind === 2) return new Uint8Array(several(() => random(255)));
  if (kind === 3) return "ü".repeat(random(40));
  if (kind === 4) return [true, false, null][random(2)] ?? null;
  if (kind === 5) return several(() => randomValue(random, depth - 1));
  return new Map(several(() => [random(1000), randomValue(random, depth - 1)]));
}

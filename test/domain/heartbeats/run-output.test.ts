import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addedOutput, MAX_OUTPUT, outputOf } from "../../../src/domain/heartbeats/run-output.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (output: Uint8Array | undefined) => new TextDecoder("utf-8", { fatal: true }).decode(output);

describe("behavior 18.10: the output in a body", () => {
  test("is the whole body if it is short, and nothing if it is empty", () => {
    expect(text(outputOf(bytes("done\n\0é😀")))).toBe("done\n\0é😀");
    expect(outputOf(bytes(""))).toBeUndefined();
  });

  test("is its first 10,000 bytes, without half a character at their end", () => {
    expect(text(outputOf(bytes("x".repeat(20_000))))).toBe("x".repeat(10_000));
    expect(text(outputOf(bytes(`x${"é".repeat(10_000)}`)))).toBe(`x${"é".repeat(4999)}`);
    expect(text(outputOf(bytes("😀".repeat(5000))))).toBe("😀".repeat(2500));
  });

  test("has the sign for an unknown character where the body is not UTF-8", () => {
    expect(text(outputOf(new Uint8Array([0x61, 0xff, 0x62])))).toBe("a\ufffdb");
    expect(text(outputOf(new Uint8Array([0x61, 0xc3])))).toBe("a\ufffd");
    expect(text(outputOf(new Uint8Array(10_000).fill(0xff)))).toBe("\ufffd".repeat(3333));
  });

  test("is valid UTF-8 of at most 10,000 bytes, whatever the body is", () => {
    const part = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 50 }),
      fc.string({ unit: "binary", minLength: 1, maxLength: 20 }).map(bytes),
    );
    const length = fc.oneof(fc.nat({ max: 50 }), fc.integer({ min: MAX_OUTPUT - 8, max: MAX_OUTPUT + 8 }));
    const body = fc
      .tuple(part, length)
      .map(([repeated, size]) =>
        Uint8Array.from({ length: size }, (_, at) => repeated[at % repeated.length] ?? 0),
      );
    fc.assert(
      fc.property(body, fc.nat({ max: MAX_OUTPUT }), (given, kept) => {
        const output = outputOf(given) ?? new Uint8Array();
        expect(text(output).length).toBeLessThanOrEqual(MAX_OUTPUT);
        expect(output.length).toBeLessThanOrEqual(MAX_OUTPUT);
        const added = addedOutput(output, kept);
        expect(output.length - added.length > 3 ? added.length + kept : MAX_OUTPUT).toBeGreaterThan(
          MAX_OUTPUT - 4,
        );
        expect(text(output)).toStartWith(text(added));
      }),
    );
  });
});

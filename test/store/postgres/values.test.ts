import { expect, test } from "bun:test";
import fc from "fast-check";
import { escapeText, unescapeText } from "../../../src/store/postgres/values.ts";

const odd = fc.string({ unit: fc.constantFrom("\0", "\ufdd0", "0", "1", "a", "🦊") });

test("behavior 12.60: any text is stored without NUL and read as it was", () => {
  fc.assert(
    fc.property(odd, (text) => {
      expect(escapeText(text)).not.toContain("\0");
      expect(unescapeText(escapeText(text))).toBe(text);
    }),
  );
});

test("behavior 12.60: texts without unusual characters are stored as they are", () => {
  for (const text of ["", "a", "🦊 0", "\u202e\u{10ffff}"]) expect(escapeText(text)).toBe(text);
});

import { expect, test } from "bun:test";
import { isNewerVersion, parseVersion } from "../../src/domain/version-order.ts";

const parsed = (text: string) => {
  const version = parseVersion(text);
  if (!version) throw new Error(`${text} is no version`);
  return version;
};

// The order of section 11 of Semantic Versioning 2.0.0, with numbers that are too long for a machine word.
const ASCENDING = [
  "0.9.9",
  "0.10.0-alpha",
  "0.10.0-alpha.1",
  "0.10.0-alpha.beta",
  "0.10.0-beta",
  "0.10.0-beta.2",
  "0.10.0-beta.11",
  "0.10.0-rc.1",
  "0.10.0",
  "0.10.1",
  "1.0.0-99999999999999999998",
  "1.0.0-99999999999999999999",
  "1.0.0",
  "99999999999999999999.0.0",
];

test("behavior 9.132: versions have the order of Semantic Versioning", () => {
  for (const [at, text] of ASCENDING.entries())
    for (const [place, other] of ASCENDING.entries()) {
      const isOffered = text.includes("-") && !other.includes("-") ? false : at > place;
      expect([text, other, isNewerVersion(parsed(text), parsed(other))]).toEqual([text, other, isOffered]);
    }
});

test("behavior 9.132: what follows a + does not count", () => {
  expect(isNewerVersion(parsed("1.0.0+b"), parsed("1.0.0+a"))).toBe(false);
  expect(isNewerVersion(parsed("1.0.1-rc.1+b"), parsed("1.0.1-beta+c"))).toBe(true);
});

test("behavior 9.132: a pre-release is offered to those who run one, and to nobody else", () => {
  expect(isNewerVersion(parsed("2.0.0-rc.1"), parsed("1.0.0"))).toBe(false);
  expect(isNewerVersion(parsed("2.0.0-rc.1"), parsed("2.0.0-beta.3"))).toBe(true);
  expect(isNewerVersion(parsed("2.0.0"), parsed("2.0.0-rc.1"))).toBe(true);
});

test("behavior 9.132: a tag may begin with v", () => {
  expect(parsed("v1.2.3").text).toBe("1.2.3");
});

test.each([
  "",
  "1",
  "1.2",
  "1.2.3.4",
  "01.2.3",
  "1.2.3-",
  "1.2.3-01",
  "1.2.3-a..b",
  "vv1.2.3",
  " 1.2.3",
  "1.2.3\n",
  "1.2.3-\u001b[31m",
  "latest",
  `1.2.3-${"a".repeat(100)}`,
])("behavior 9.132: %j is no version", (text) => {
  expect(parseVersion(text)).toBeUndefined();
});

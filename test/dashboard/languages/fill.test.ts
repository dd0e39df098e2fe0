import { expect, test } from "bun:test";
import { fill, formOf, listOf, plural } from "../../../src/dashboard/web/languages/texts.ts";

test("values are in their places, numbers as the reader writes them, and names with a direction of their own", () => {
  expect(fill("Since {time}, by {name}", { time: "9:00", name: "Ana" })).toBe("Since 9:00, by Ana");
  expect(fill("{count} monitors", { count: 12_345 })).toBe("12,345 monitors");
  expect(fill("by {name}", { name: "דוגמה" })).toBe("by \u2068דוגמה\u2069");
  // A value is not a text.
  expect(fill("by {name}", { name: "{name}" })).toBe("by {name}");
});

test("a sentence whose last value ends with a period has one period", () => {
  expect(fill("It lasts {duration}.", { duration: "12 Sek." })).toBe("It lasts 12 Sek.");
  expect(fill("It lasts {duration}.", { duration: "12 s" })).toBe("It lasts 12 s.");
  expect(fill("{first} {second}", { first: "One.", second: "Two." })).toBe("One. Two.");
  // In scripts with other periods, and behind the mark that ends a direction of its own.
  expect(fill("{reason}。", { reason: "接続が拒否されました。" })).toBe("接続が拒否されました。");
  expect(fill("{reason}।", { reason: "कनेक्शन अस्वीकार हुआ।" })).toBe("कनेक्शन अस्वीकार हुआ।");
  expect(fill("{reason}.", { reason: "החיבור נדחה." })).toBe("\u2068החיבור נדחה.\u2069");
});

test("a text with a number has the form of the number", () => {
  const forms = { one: "{count} check of {name}", other: "{count} checks of {name}" } as const;
  expect(plural(forms, 1, { name: "x" })).toBe("1 check of x");
  expect(plural(forms, 0, { name: "x" })).toBe("0 checks of x");
  expect(formOf(forms, 2)).toBe(forms.other);
});

test("a list has one conjunction", () => {
  expect(listOf([])).toBe("");
  expect(listOf(["a"])).toBe("a");
  expect(listOf(["a", "b", "c"])).toBe("a, b and c");
  expect(listOf(["a", "b"], "disjunction")).toBe("a or b");
});

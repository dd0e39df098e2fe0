import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  accentColors,
  contrast,
  isColor,
  isEmbedOrigin,
  MAX_LOGO,
  parseLogo,
} from "../../../src/domain/pages/page-look.ts";

test("behavior 17.21: a color that is readable stays, in light and in dark", () => {
  expect(accentColors("#2450c4").light).toEqual({ accent: "#2450c4", on: "#ffffff" });
  expect(accentColors("#8eacff").dark).toEqual({ accent: "#8eacff", on: "#0e1116" });
  expect([isColor("#2450C4"), isColor("2450c4"), isColor("#fff"), isColor("#2450c4;")]).toEqual([
    ...[true, false, false, false],
  ]);
});

test("behavior 17.21: any color becomes readable on the backgrounds, and the text of buttons on it", () => {
  const channel = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, "0"));
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (channels) => {
      const { light, dark } = accentColors(`#${channels.join("")}`);
      for (const ground of ["#ffffff", "#eef0f3", light.on])
        expect(contrast(light.accent, ground)).toBeGreaterThanOrEqual(4.5);
      for (const ground of ["#20252e", "#0e1116", dark.on])
        expect(contrast(dark.accent, ground)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test.each([
  ["https://www.example.com", true],
  ["https://www.example.com:8443", true],
  ["http://localhost:3000", true],
  ["http://127.0.0.1", true],
  ["http://www.example.com", false],
  ["https://www.example.com/", false],
  ["https://*.example.com", false],
  ["https://WWW.example.com", false],
  ["https://a.example 'self'", false],
  ["https://a.example;", false],
  ["https://user@a.example", false],
  ["null", false],
  ["*", false],
  ["", false],
])("behavior 17.25: %p may embed a page: %p", (text, isAccepted) => {
  expect(isEmbedOrigin(text)).toBe(isAccepted);
});

const encoded = (type: string, bytes: string | Uint8Array) =>
  `data:${type};base64,${Buffer.from(bytes as string, "latin1").toString("base64")}`;
const PNG = "\x89PNG\r\n\x1a\n";

test.each([
  ["image/png", PNG],
  ["image/jpeg", "\xff\xd8\xff\xe0"],
  ["image/gif", "GIF89a"],
  ["image/webp", "RIFF\x00\x00\x00\x00WEBPVP8 "],
  ["image/svg+xml", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"></svg>'],
])("behavior 17.23: a logo is of the type %s if its content is", (type, bytes) => {
  expect(parseLogo(encoded(type, bytes))?.type).toBe(type);
  expect(parseLogo(encoded(type, `x${bytes}`))).toBeNull();
  expect(parseLogo(encoded(type === "image/png" ? "image/gif" : "image/png", bytes))).toBeNull();
});

test("behavior 17.23: a logo has at most 64 KiB, and is a data URL in base64", () => {
  const large = (size: number) => encoded("image/png", PNG + "a".repeat(size - PNG.length));
  expect(parseLogo(large(MAX_LOGO))?.bytes).toHaveLength(MAX_LOGO);
  expect(parseLogo(large(MAX_LOGO + 1))).toBeNull();
  for (const text of [
    "",
    "data:image/png,abc",
    "data:text/html;base64,PGI+",
    encoded("image/png", "<b>"),
    `${large(20)}!`,
  ])
    expect(parseLogo(text)).toBeNull();
});

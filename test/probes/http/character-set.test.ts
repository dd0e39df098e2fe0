import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { Expectations } from "../../../src/domain/checks/expectation-rules.ts";
import { characterSetOf } from "../../../src/probes/http/character-set.ts";
import { observation } from "../../support/probes/observation.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";

/** Whether an answer is as expected. */
async function isGood(bytes: Uint8Array, expected: Expectations): Promise<boolean> {
  using server = await startHttpServer(() => bytes);
  const seen = await observation("HTTP", { url: `http://127.0.0.1:${server.port}/`, expect: expected });
  if (seen.outcome === "failed") expect(seen.reason).toBe("unexpected");
  return seen.outcome === "reached";
}

/** Fails if one of `contains` and `lacks` contradicts the other. */
async function contains(bytes: Uint8Array, text: string): Promise<boolean> {
  const isThere = await isGood(bytes, { contains: text });
  expect(await isGood(bytes, { lacks: text })).toBe(!isThere);
  return isThere;
}

const page = (type: string, body: Uint8Array | string) => answer("200 OK", [`Content-Type: ${type}`], body);
const hex = (digits: string) => Buffer.from(digits, "hex");

/** Written by the codecs of Python. */
const TEXTS: [label: string, text: string, bytes: string][] = [
  ["utf-8", "Größe 世界", "4772c3b6c39f6520e4b896e7958c"],
  ["utf-16le", "Größe 世界", "47007200f600df0065002000164e4c75"],
  ["utf-16be", "Größe 世界", "0047007200f600df006500204e16754c"],
  ["ibm866", "Ошибка", "8ee8a8a1aaa0"],
  ["iso-8859-1", "Größe", "4772f6df65"],
  ["iso-8859-2", "Błąd", "42b3b164"],
  ["iso-8859-3", "Ħaġa", "a161f561"],
  ["iso-8859-4", "Kļūda", "4bb6fe6461"],
  ["iso-8859-5", "Ошибка", "bee8d8d1dad0"],
  ["iso-8859-6", "خطأ", "ced7c3"],
  ["iso-8859-7", "Σφάλμα", "d3f6dcebece1"],
  ["iso-8859-8", "שגיאה", "f9e2e9e0e4"],
  ["iso-8859-8-i", "שגיאה", "f9e2e9e0e4"],
  ["iso-8859-9", "Şifre", "de69667265"],
  ["iso-8859-10", "Ŋuŋ", "af75bf"],
  ["iso-8859-13", "Kļūda", "4beffb6461"],
  ["iso-8859-14", "Ŵyau", "d0796175"],
  ["iso-8859-15", "5 €", "3520a4"],
  ["iso-8859-16", "Șters", "aa74657273"],
  ["koi8-r", "Ошибка", "efdbc9c2cbc1"],
  ["koi8-u", "Помилка є", "f0cfcdc9cccbc120a4"],
  ["macintosh", "Größe", "47729aa765"],
  ["windows-874", "ผิดพลาด", "bcd4b4bec5d2b4"],
  ["windows-1250", "Chyba ž", "4368796261209e"],
  ["windows-1251", "Ошибка", "cef8e8e1eae0"],
  ["windows-1252", "5 €", "352080"],
  ["windows-1253", "Σφάλμα", "d3f6dcebece1"],
  ["windows-1254", "Şifre", "de69667265"],
  ["windows-1255", "שגיאה", "f9e2e9e0e4"],
  ["windows-1256", "خطأ", "ced8c3"],
  ["windows-1257", "Kļūda", "4beffb6461"],
  ["windows-1258", "Đưong", "d0fd6f6e67"],
  ["x-mac-cyrillic", "Ошибка", "8ef8e8e1eae0"],
  ["gbk", "错误", "b4edcef3"],
  ["gb2312", "错误", "b4edcef3"],
  ["gb18030", "错误𠀀", "b4edcef395328236"],
  ["big5", "錯誤", "bff9bb7e"],
  ["euc-jp", "エラー", "a5a8a5e9a1bc"],
  ["iso-2022-jp", "エラー", "1b244225282569213c1b2842"],
  ["shift_jis", "エラー", "83478389815b"],
  ["euc-kr", "오류", "bfc0b7f9"],
];

test.each(TEXTS)("behavior 26.130: a text in %s is found as %s", async (label, text, bytes) => {
  const body = Buffer.concat([hex(bytes), hex(bytes)]);
  expect(await contains(page(`text/plain; charset=${label}`, body), text)).toBe(true);
  expect(await contains(page(`text/plain; charset=${label}`, body), `${text}!`)).toBe(false);
});

const RUSSIAN = hex("cef8e8e1eae0");
const inRussian = (before: string) => Buffer.concat([Buffer.from(before), RUSSIAN]);

describe("behavior 26.130: a byte order mark wins over the header, and the header over the document", () => {
  test.each<[string, Uint8Array, boolean]>([
    ["the header alone", page("text/html; charset=windows-1251", RUSSIAN), true],
    ["the header in quotes", page('text/html;Charset="Windows-1251"; a=b', RUSSIAN), true],
    ["another label of WHATWG", page("text/html; a=b; charset=cp1251", RUSSIAN), true],
    [
      "the header, and not the document",
      page("text/html; charset=cp1251", inRussian("<meta charset=koi8-r>")),
      true,
    ],
    [
      "the header, and not the right document",
      page("text/html; charset=koi8-r", inRussian("<meta charset=cp1251>")),
      false,
    ],
    ["the document, if the header names none", page("text/html", inRussian("<meta charset=cp1251>")), true],
    [
      "the document, if the header names an unknown one",
      page("text/html; charset=none", inRussian("<meta charset=cp1251>")),
      true,
    ],
    ["no header at all", answer("200 OK", [], inRussian("<meta charset=cp1251>")), true],
    ["an XML declaration", page("application/rss+xml", inRussian('<?xml encoding="windows-1251"?>')), true],
    ["no name", page("text/html", RUSSIAN), false],
    ["an unknown name", page("text/html; charset=none", RUSSIAN), false],
    ["a name that can't be decoded", page("text/html; charset=hz-gb-2312", RUSSIAN), false],
    [
      "a mark of UTF-16, and not the header",
      page("text/html; charset=cp1251", Buffer.from("\ufeffОшибка", "utf16le")),
      true,
    ],
    [
      "a mark of UTF-16, big endian",
      page("text/html", Buffer.from("\ufeffОшибка", "utf16le").swap16()),
      true,
    ],
    ["a mark of UTF-8, and not the header", page("text/html; charset=cp1251", "\ufeffОшибка"), true],
    [
      "a coded body",
      answer(
        "200 OK",
        ["Content-Encoding: gzip", "Content-Type: text/html; charset=cp1251"],
        gzipSync(RUSSIAN),
      ),
      true,
    ],
  ])("%s", async (_, bytes, isFound) => {
    expect(await contains(bytes, "Ошибка")).toBe(isFound);
  });
});

test("behavior 26.131: UTF-8 under another name, bytes that are no text and answers without a name are judged by their bytes", async () => {
  const latin = page("text/html; charset=iso-8859-1", "<p>Größe</p>");
  expect(await contains(latin, "Größe")).toBe(true);
  expect(await contains(latin, "GrÃ¶ÃŸe")).toBe(true);
  const broken = page("text/html; charset=utf-8", Buffer.concat([hex("ff80"), Buffer.from("Größe")]));
  expect(await contains(broken, "Größe")).toBe(true);
  expect(await contains(page("text/plain; charset=utf-16", "Größe"), "Größe")).toBe(true);
  expect(await contains(page("image/png", Buffer.concat([hex("89504e47ff"), Buffer.from("ö")])), "ö")).toBe(
    true,
  );
});

test("behavior 26.131: a body that is cut within a character has the text before it", async () => {
  // Each has 1 MiB and one byte, in characters of two bytes after the first.
  for (const [label, text, bytes] of [
    ["gbk", "错", "b4ed"],
    ["euc-jp", "エ", "a5a8"],
    ["shift_jis", "エ", "8347"],
    ["big5", "錯", "bff9"],
    ["euc-kr", "오", "bfc0"],
    ["utf-16le", "世", "164e"],
  ] as const) {
    const start = label === "utf-16le" ? "" : "x";
    const body = Buffer.concat([
      Buffer.from(start),
      Buffer.alloc(1024 * 1024 - start.length - 1, hex(bytes)),
      Buffer.from("end"),
    ]);
    const sent = page(`text/plain; charset=${label}`, body);
    expect(await contains(sent, text.repeat(3))).toBe(true);
    expect(await contains(sent, "\ufffd")).toBe(false);
  }
});

test("behavior 26.130: json stays UTF-8", async () => {
  const body = Buffer.concat([Buffer.from('{"a":"'), RUSSIAN, Buffer.from('"}')]);
  const sent = page("application/json; charset=windows-1251", body);
  expect(await isGood(sent, { json: { "$.a": { exists: true } } })).toBe(false);
  expect(await isGood(page("application/json; charset=cp1251", '{"a":"ü"}'), { json: { "$.a": "ü" } })).toBe(
    true,
  );
});

/** Most of them follow from the steps of WHATWG, HTML, 13.2.3.2. */
test.each<[string, string | undefined]>([
  ["<meta charset=koi8-r>", "koi8-r"],
  ["<META\tCHARSET = 'KOI8-R' >", "koi8-r"],
  ['<meta/charset="koi8-r"/>', "koi8-r"],
  ["<meta a charset=koi8-r>", "koi8-r"],
  ["<meta charset=' koi8-r '>", "koi8-r"],
  ["<meta charset=none><meta charset=koi8-r>", "koi8-r"],
  ["<meta charset=none charset=koi8-r>", undefined],
  ["<meta =charset=koi8-r>", undefined],
  ["<meta charset>", undefined],
  ["<metacharset=koi8-r>", undefined],
  ["</meta charset=koi8-r>", undefined],
  ["<meta charset=koi8-r", undefined],
  ["<meta charset='koi8-r>", undefined],
  ["<meta a=' charset=koi8-r >", undefined],
  ["<p a='<meta charset=koi8-r>'>", undefined],
  ["<p a=<meta charset=koi8-r>", undefined],
  ["<p><b a='>' c=\">\" d/e=f><meta charset=koi8-r>", "koi8-r"],
  ["<1 <meta charset=koi8-r>", "koi8-r"],
  ["<<meta charset=koi8-r>", "koi8-r"],
  ["<!-- <meta charset=koi8-r> -->", undefined],
  ["<!--><meta charset=koi8-r>", "koi8-r"],
  ["<!---><meta charset=koi8-r>", "koi8-r"],
  ["<!-- > --><meta charset=koi8-r>", "koi8-r"],
  ["<!-- <meta charset=koi8-r>", undefined],
  ["<!doctype html '<meta charset=koi8-r>'>", undefined],
  ["<?php <meta charset=koi8-r>", undefined],
  ["</ <meta charset=koi8-r>", undefined],
  ["<!doctype html><html><head><meta charset=koi8-r>", "koi8-r"],
  ["<meta charset=utf-16>", "utf-8"],
  ["<meta charset=utf-16be>", "utf-8"],
  ["<meta charset=x-user-defined>", "windows-1252"],
  ["<meta charset=latin1>", "windows-1252"],
  ["<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>", "koi8-r"],
  ["<meta content='text/html; charset=koi8-r' http-equiv='content-type'>", "koi8-r"],
  ["<meta content='text/html; charset=koi8-r'>", undefined],
  ["<meta http-equiv=refresh content='charset=koi8-r'>", undefined],
  ["<meta http-equiv=content-type content='charset charset = \"koi8-r\"'>", "koi8-r"],
  ["<meta http-equiv=content-type content='charset=\"koi8-r'>", undefined],
  ["<meta http-equiv=content-type content='charset=koi8-r;a'>", "koi8-r"],
  ["<meta http-equiv=content-type content='charset=koi8-r' charset=ibm866>", "ibm866"],
  ["<meta http-equiv=content-type content='charset=koi8-r' charset=none>", undefined],
  [`${" ".repeat(1003)}<meta charset=koi8-r>`, "koi8-r"],
  [`${" ".repeat(1004)}<meta charset=koi8-r>`, undefined],
  ['<?xml version="1.0" encoding="koi8-r"?>', "koi8-r"],
  ["<?xml version='1.0' encoding = 'koi8-r' ?><p>", "koi8-r"],
  ['<?xml version="1.0" encoding="utf-16"?>', "utf-8"],
  ['<?xml version="1.0"?><a encoding="koi8-r">', undefined],
  ['<?xml encoding="koi8-r"?><meta charset=ibm866>', "ibm866"],
  [' <?xml encoding="koi8-r"?>', undefined],
  ["<\0?\0x\0m\0l\0", "utf-16le"],
  ["\0<\0?\0x\0m\0l", "utf-16be"],
  ["", undefined],
  ["\xff", undefined],
])("behavior 26.130: the start %j names %p", (start, encoding) => {
  const bytes = Buffer.from(start, "latin1");
  expect(characterSetOf({ statusCode: 200, headers: [] }, bytes)).toBe(encoding as string);
});

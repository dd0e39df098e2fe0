import { expect, test } from "bun:test";
import { Binary } from "../support/product/binary.ts";
import { answer, startHttpServer } from "../support/servers/http-answers.ts";

/** The same word in character sets whose decoders are not all in one place of the runtime. */
const WORDS: Record<string, [text: string, bytes: string]> = {
  "koi8-r": ["Ошибка", "efdbc9c2cbc1"],
  "windows-1251": ["Ошибка", "cef8e8e1eae0"],
  "iso-8859-2": ["Błąd", "42b3b164"],
  gbk: ["错误", "b4edcef3"],
  gb18030: ["错误𠀀", "b4edcef395328236"],
  big5: ["錯誤", "bff9bb7e"],
  shift_jis: ["エラー", "83478389815b"],
  "euc-jp": ["エラー", "a5a8a5e9a1bc"],
  "iso-2022-jp": ["エラー", "1b244225282569213c1b2842"],
  "euc-kr": ["오류", "bfc0b7f9"],
  "utf-16le": ["世界", "164e4c75"],
  "windows-874": ["ผิดพลาด", "bcd4b4bec5d2b4"],
};

test("behavior 26.130, 26.133, 26.134: the binary decodes character sets and matches patterns", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const client = await server.client();
  using target = await startHttpServer((path) => {
    const charset = path.slice(1);
    const [, bytes = ""] = WORDS[charset] ?? [];
    return answer("200 OK", [`Content-Type: text/html; charset=${charset}`], Buffer.from(bytes, "hex"));
  });
  const failureOf = async (charset: string, expect: object) => {
    const url = `http://127.0.0.1:${target.port}/${charset}`;
    const { body } = await client.post("/api/v1/probe", {
      type: "HTTP",
      config: { url, interval: 60, expect },
    });
    return body.error ?? body.data.failedExpectation;
  };
  for (const [charset, [text]] of Object.entries(WORDS)) {
    expect(await failureOf(charset, { contains: text, matches: `^${text}$` })).toBeNull();
    expect(await failureOf(charset, { lacks: text })).toBe(`the body contains "${text}"`);
  }
  expect(await failureOf("koi8-r", { matches: "(?i)^ОШИБКИ" })).toBe('the body does not match "(?i)^ОШИБКИ"');
  expect(await failureOf("koi8-r", { matches: "(" })).toBe(
    "config.expect.matches must be a pattern in the syntax of RE2: missing closing ): (",
  );
}, 120_000);

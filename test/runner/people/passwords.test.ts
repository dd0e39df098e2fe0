import { describe, expect, test } from "bun:test";
import { createPasswords } from "../../../src/runner/people/passwords.ts";

describe("behavior 19.11: passwords", () => {
  test("are stored with argon2id, each with a salt of its own", async () => {
    const passwords = createPasswords();
    const [one, other] = await Promise.all([
      passwords.hash("a long password"),
      passwords.hash("a long password"),
    ]);
    expect(one).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(one).not.toBe(other);
    expect(await passwords.verify("a long password", one)).toBe(true);
    expect(await passwords.verify("a long passwore", one)).toBe(false);
    expect(await passwords.verify("a long password", null)).toBe(false);
  });

  test("with equal characters are equal, and nothing of them is cut", async () => {
    const passwords = createPasswords();
    expect(
      await passwords.verify(
        "caf\u00e9 caf\u00e9 caf\u00e9",
        await passwords.hash("cafe\u0301 cafe\u0301 cafe\u0301"),
      ),
    ).toBe(true);
    const long = "x".repeat(1023);
    expect(await passwords.verify(`${long}b`, await passwords.hash(`${long}a`))).toBe(false);
  });

  test("are hashed off the event loop, a few at once", async () => {
    const passwords = createPasswords(2);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await Promise.all(Array.from({ length: 6 }, () => passwords.hash("a long password")));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});

import { expect, test } from "bun:test";
import type { PasswordHash } from "../../../src/domain/pages/page-password.ts";
import { createPageLock } from "../../../src/runner/pages/public-pages.ts";
import { createTestClock } from "../../support/clock.ts";

const MINUTE = 60_000;

const page = { id: "p1", passwordHash: "the hash of: open sesame" as PasswordHash };
const given = (password: string, address = "192.0.2.1") => ({ password, address });

/** @param verify judges each password */
const lockWith = (verify: (password: string) => Promise<boolean>) =>
  createPageLock({ clock: createTestClock(), passwords: { verify, hash: async () => "unused" } });

test("behavior 21.40: a password that this server could not judge is no wrong one", async () => {
  let isBroken = true;
  const lock = lockWith(async () => {
    if (isBroken) throw new Error("no thread");
    return true;
  });
  for (let at = 0; at < 11; at++)
    await expect(lock.judge(page, given("open sesame"))).rejects.toThrow("no thread");
  isBroken = false;
  expect(await lock.judge(page, given("open sesame"))).toBe(true);
});

test("behavior 21.40: a password that comes with each request is judged once", async () => {
  let hashes = 0;
  const lock = lockWith(async (password) => {
    hashes++;
    return password === "open sesame";
  });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      lock.judge(page, { password: "open sesame", address: `192.0.2.${at % 3}` }),
    ),
  );
  expect([new Set(answers), hashes]).toEqual([new Set([true]), 1]);
  expect(await lock.judge(page, given("open sesame!"))).toBe(false);
});

test("behavior 21.40: guesses from many addresses are hashed one at a time, so that sign-ins do not wait for all", async () => {
  let [running, most, hashes] = [0, 0, 0];
  const lock = lockWith(async () => {
    most = Math.max(most, ++running);
    hashes++;
    await Bun.sleep(0);
    running--;
    return false;
  });
  const guesses = Array.from({ length: 20 }, (_, at) =>
    lock.judge(page, given(`wrong number ${at}`, `192.0.2.${at}`)),
  );
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([false]));
  expect([most, hashes]).toEqual([1, 20]);
});

test("behavior 21.40: a flood from many addresses leaves no long queue, and counts no password that it kept out", async () => {
  const verify = Promise.withResolvers<boolean>();
  let isFlooded = true;
  const lock = lockWith(async (password) => (isFlooded ? verify.promise : password === "open sesame"));
  const flood = Array.from({ length: 100 }, (_, at) =>
    lock.judge(page, given(`wrong number ${at}`, `203.0.113.${at}`)),
  );
  const late = Array.from({ length: 11 }, () =>
    lock.judge(page, given("open sesame")).catch((error) => error),
  );
  await Bun.sleep(0);
  isFlooded = false;
  verify.resolve(false);
  const refused = expect.objectContaining({ kind: "too_many", retryAfter: 10 });
  expect(await Promise.all(late)).toEqual(late.map(() => refused));
  expect(new Set(await Promise.all(flood))).toEqual(new Set([false]));
  expect(await lock.judge(page, given("open sesame"))).toBe(true);
});

test("behavior 21.40: the wrong passwords of an IPv6 /64 network count together, for 15 minutes, and refuse the right one", async () => {
  const clock = createTestClock();
  const verify = async (password: string) => password === "open sesame";
  const lock = createPageLock({ clock, passwords: { verify, hash: async () => "unused" } });
  for (let at = 0; at < 10; at++)
    expect(await lock.judge(page, given(`wrong number ${at}`, `2001:db8::${at}`))).toBe(false);
  const right = (address: string) => lock.judge(page, given("open sesame", address));
  await expect(right("2001:db8::ffff")).rejects.toMatchObject({ kind: "too_many", retryAfter: 900 });
  expect(await right("2001:db8:0:1::1")).toBe(true);
  await clock.advance(15 * MINUTE);
  expect(await right("2001:db8::ffff")).toBe(true);
});

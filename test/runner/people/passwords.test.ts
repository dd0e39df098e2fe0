import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { HASH_COST } from "../../../src/domain/people/password.ts";
import { createPasswords } from "../../../src/runner/people/passwords.ts";
import { createTestClock, systemClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";

describe("behavior 19.11: passwords", () => {
  test("are stored with argon2id, each with a salt of its own", async () => {
    const passwords = createPasswords(systemClock());
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
    const passwords = createPasswords(systemClock());
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
    const passwords = createPasswords(systemClock(), { parallel: 2 });
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await Promise.all(Array.from({ length: 6 }, () => passwords.hash("a long password")));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  test.skipIf(process.platform !== "linux")(
    "are hashed by threads with a low priority, which end without work",
    async () => {
      const clock = createTestClock();
      const before = niceThreads();
      const passwords = createPasswords(clock, { parallel: 2 });
      // Threads of earlier tests may end at any time.
      const begun = () => niceThreads().filter((thread) => !before.includes(thread));
      await Promise.all(Array.from({ length: 6 }, () => passwords.hash("a long password")));
      expect(begun()).toHaveLength(2);
      await clock.advance(60_000);
      await eventually(() => begun().length === 0);
      expect(await passwords.verify("a long password", await passwords.hash("a long password"))).toBe(true);
      passwords.stop();
      await eventually(() => begun().length === 0);
    },
  );

  test("an unreadable hash is no right password, and does not end the threads", async () => {
    const passwords = createPasswords(systemClock());
    await expect(passwords.verify("a long password", "not a hash")).rejects.toThrow();
    expect(await passwords.verify("a long password", await passwords.hash("a long password"))).toBe(true);
  });

  test("are judged again after a thread died, which fails only the password that it judged", async () => {
    const passwords = createPasswords(systemClock(), { parallel: 1 });
    const stored = await Bun.password.hash("a long password", HASH_COST);
    using _ = nextThread((thread) => thread.onerror?.({ message: "no memory" }));
    await expect(passwords.verify("a long password", stored)).rejects.toThrow(
      "a thread for passwords died: no memory",
    );
    expect(await passwords.verify("a long password", stored)).toBe(true);
    expect(await passwords.verify("a long password", null)).toBe(false);
  });

  test("are refused while a hundred others wait", async () => {
    const passwords = createPasswords(systemClock(), { parallel: 1 });
    let judging: Thread | undefined;
    using _ = nextThread((thread) => {
      judging = thread;
    });
    const first = passwords.verify("a long password", null).catch(() => "died");
    const others = Array.from({ length: 101 }, () => passwords.verify("a long password", "not a hash"));
    const outcomes = Promise.allSettled(others);
    expect(await others.at(-1)?.catch((error) => error)).toMatchObject({ kind: "too_many", retryAfter: 10 });
    judging?.onerror?.({ message: "no memory" });
    expect(await first).toBe("died");
    const reasons = (await outcomes).map((one) => (one.status === "rejected" ? one.reason : null));
    expect(reasons.filter((reason) => reason.kind === "too_many")).toHaveLength(1);
  });
});

interface Thread {
  onerror?: (event: { message: string }) => void;
}

/** Replaces the next thread. @param work what it does with a password, instead of judging it */
function nextThread(work: (thread: Thread) => void): Disposable {
  const { Worker } = globalThis;
  const restore = () => Object.assign(globalThis, { Worker });
  class OtherThread implements Thread {
    onerror?: (event: { message: string }) => void;
    constructor() {
      restore();
    }
    postMessage() {
      work(this);
    }
    terminate() {}
  }
  Object.assign(globalThis, { Worker: OtherThread });
  return { [Symbol.dispose]: restore };
}

/** The threads of this process with the priority of hashing. */
function niceThreads(): string[] {
  const isNice = (thread: string) => {
    try {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
      // The threads of the garbage collector inherit the priority of the thread that first needs them.
      return stat.includes("(Worker)") && stat.replace(/.*\) /s, "").split(" ")[16] === "10";
    } catch {
      // It has just ended.
      return false;
    }
  };
  return readdirSync("/proc/self/task").filter(isNice);
}

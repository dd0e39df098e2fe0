import { expect, test } from "bun:test";
import { LinkError } from "../../src/remote-probe/http-link.ts";
import { createRetryDelay } from "../../src/remote-probe/sender.ts";

const away = (retryAfter = 0) => new LinkError("away", "gone", retryAfter);

test("behavior 13.45: each delay is twice as long, up to 30 s, with a random part, until a request succeeds", () => {
  const longest = createRetryDelay(() => 1);
  const shortest = createRetryDelay(() => 0);
  expect(Array.from({ length: 8 }, () => longest.after(away()))).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ]);
  expect(Array.from({ length: 3 }, () => shortest.after(away()))).toEqual([250, 500, 1000]);
  longest.reset();
  expect(longest.after(away())).toBe(500);
});

test("behavior 13.45: a delay is at least as long as the server wants", () => {
  expect(createRetryDelay(() => 1).after(away(7000))).toBe(7000);
});

test("behavior 13.40, 13.45: what needs an operator is tried again at a fixed pace", () => {
  const retry = createRetryDelay(() => 1);
  expect(retry.after(new LinkError("key_refused", ""))).toBe(30_000);
  expect(retry.after(new LinkError("incompatible", ""))).toBe(60_000);
});

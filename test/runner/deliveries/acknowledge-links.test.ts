import { expect, test } from "bun:test";
import { createAcknowledgeLinks } from "../../../src/runner/deliveries/acknowledge-links.ts";
import { createBeginnings } from "../../../src/runner/people/beginnings.ts";

const DAY = 86_400_000;
const AT = Date.UTC(2026, 10, 21, 3);
const notified = { outageId: "outageA", channelId: "channelA" };

/** A node with the time that it is there. */
async function node(key: Uint8Array) {
  const clock = { now: () => clock.at, at: AT };
  const beginnings = createBeginnings({
    store: {
      beginnings: { findKey: async () => key, storeKey: async (drawn) => drawn, use: async () => true },
    },
    clock,
  });
  await beginnings.start();
  return { clock, ...createAcknowledgeLinks({ clock, baseUrl: () => "https://up.example.com", beginnings }) };
}

const key = new Uint8Array(32).fill(7);
const tokenIn = (url: string) => url.slice("https://up.example.com/acknowledge/".length);

test("behavior 23.50: a token is for its outage and its channel, at each node, for 24 hours", async () => {
  const [one, other] = await Promise.all([node(key), node(key)]);
  const token = tokenIn(one.urlOf(notified, AT));
  expect(other.open(token)).toEqual(notified);
  other.clock.at = AT + DAY - 1;
  expect(other.open(token)).toEqual(notified);
  other.clock.at = AT + DAY;
  expect(other.open(token)).toBeNull();
});

test("behavior 23.50: each repetition has a token of its own", async () => {
  const { urlOf } = await node(key);
  expect(urlOf(notified, AT + 1)).not.toBe(urlOf(notified, AT));
});

test("behavior 23.50: no token ends with a character that a program leaves out of a link", async () => {
  const { urlOf } = await node(key);
  for (let at = AT; at < AT + 500; at++) expect(urlOf(notified, at)).toMatch(/^https:[\w./-]+[0-9a-f]$/);
});

test("behavior 23.50: a token with any other character is refused, and so is one of another installation", async () => {
  const [own, other] = await Promise.all([node(key), node(new Uint8Array(32).fill(8))]);
  const token = tokenIn(own.urlOf(notified, AT));
  for (let at = 0; at < token.length; at++) {
    const changed = `${token.slice(0, at)}${token[at] === "a" ? "b" : "a"}${token.slice(at + 1)}`;
    expect(own.open(changed)).toBeNull();
    expect(own.open(token.slice(0, at))).toBeNull();
  }
  for (const changed of ["", `${token}0`, ` ${token}`, token.toUpperCase(), `x.${token}`])
    expect(own.open(changed)).toBeNull();
  expect(other.open(token)).toBeNull();
});

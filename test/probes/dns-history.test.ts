import { expect, test } from "bun:test";
import { createDnsHistory } from "../../src/probes/dns/dns-history.ts";
import { eventually } from "../support/eventually.ts";

function createKept() {
  const kept = { answers: 0, reads: 0, isAway: false };
  const access = async () => {
    if (kept.isAway) throw new Error("away");
  };
  const faults: unknown[] = [];
  const open = () =>
    createDnsHistory(
      {
        async hasAnswer() {
          kept.reads++;
          await access();
          return kept.answers > 0;
        },
        async storeAnswer() {
          await access();
          kept.answers++;
        },
      },
      (error) => faults.push(error),
    );
  return { kept, faults, open };
}

test("behavior 4.18: an answer that one node stored holds for another, and is stored once", async () => {
  const { kept, open } = createKept();
  const [one, other] = [open(), open()];
  expect(await other.hasAnswered()).toBe(false);
  one.answered();
  expect(await one.hasAnswered()).toBe(true);
  await eventually(() => kept.answers === 1);
  expect(await other.hasAnswered()).toBe(true);
  for (const node of [one, other, open()]) node.answered();
  await eventually(() => kept.reads === 4);
  expect(kept.answers).toBe(1);
});

test("concurrent questions share one read, and none reads after an answer", async () => {
  const { kept, open } = createKept();
  const history = open();
  expect(await Promise.all([history.hasAnswered(), history.hasAnswered()])).toEqual([false, false]);
  expect(kept.reads).toBe(1);
  kept.answers = 1;
  for (let times = 0; times < 3; times++) expect(await history.hasAnswered()).toBe(true);
  expect(kept.reads).toBe(2);
});

test("a database that can't be read proves nothing against a target, and one that can't be written is reported", async () => {
  const { kept, faults, open } = createKept();
  kept.isAway = true;
  const history = open();
  expect(await history.hasAnswered()).toBe(true);
  kept.isAway = false;
  expect(await history.hasAnswered()).toBe(false);
  kept.isAway = true;
  history.answered();
  await eventually(() => faults.length === 1);
});

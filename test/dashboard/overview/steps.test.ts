import { expect, test } from "bun:test";
import { type StepFacts, stepsOf } from "../../../src/dashboard/web/overview/first-steps.tsx";

const origin = "http://127.0.0.1:7070";
const database = { engine: "sqlite", bytes: 1, freeBytes: 1, lastBackupAt: null } as const;
const fresh: StepFacts = {
  monitors: 0,
  channels: [],
  isTested: false,
  server: { baseUrl: origin, mail: { configured: false, from: null }, database },
  hasPeople: undefined,
  origin,
};
const openOf = (changes: Partial<StepFacts>) =>
  stepsOf({ ...fresh, ...changes })
    .filter(({ isDone }) => !isDone)
    .map(({ name }) => name);

test("behavior 16.340: a new server has steps to do, and e-mail is one if a channel needs it", () => {
  expect(openOf({})).toEqual(["monitor", "channel", "test", "backup"]);
  expect(openOf({ monitors: 1, channels: [{ type: "EMAIL" }] })).toEqual(["test", "mail", "backup"]);
  expect(openOf({ origin: "https://up.example.com" })).toContain("address");
});

test("behavior 19.86: an owner without people has a step to do, and nobody else", () => {
  expect(openOf({ hasPeople: false })).toEqual(["person", "monitor", "channel", "test", "backup"]);
  expect(openOf({ hasPeople: true })).toEqual(openOf({}));
  const names = stepsOf(fresh).map(({ name }) => name);
  expect(names).not.toContain("person");
});

test("behavior 16.340: nothing is left when all is done, and PostgreSQL knows of no backup", () => {
  const done = { monitors: 1, channels: [{ type: "SLACK" } as const], isTested: true };
  const lastBackupAt = "2026-11-21T03:00:00.000Z";
  expect(openOf({ ...done, server: { ...fresh.server, database: { ...database, lastBackupAt } } })).toEqual(
    [],
  );
  const postgres = { ...database, engine: "postgresql" } as const;
  expect(openOf({ ...done, server: { ...fresh.server, database: postgres } })).toEqual([]);
});

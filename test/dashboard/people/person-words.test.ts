import { expect, test } from "bun:test";
import { describeMethods } from "../../../src/dashboard/web/people/method-words.ts";
import { describeActor, nameOfPerson } from "../../../src/dashboard/web/people/person-words.ts";

const people = [{ id: "p1" }];
const ana = { type: "person", id: "p1", name: "Ana" };

test.each([
  ["a person", ana, people, "Ana"],
  ["a person who is deleted", { ...ana, id: "p2" }, people, "Ana (deleted)"],
  ["a person while it is not known who is there", { ...ana, id: "p2" }, undefined, "Ana"],
  ["a key, also a deleted one", { type: "key", id: "k1", name: "deploy" }, people, "deploy"],
  ["a command", { type: "cli", id: null, name: "root" }, people, "root"],
])("behavior 19.90: the audit log names %s", (_, actor, known, expected) => {
  expect(describeActor(actor, known)).toBe(expected);
});

test("behavior 19.87: somebody whose name is not known has the e-mail address as name", () => {
  expect(nameOfPerson({ name: null, email: "ana@example.com" })).toBe("ana@example.com");
  expect(nameOfPerson({ name: "Ana", email: "ana@example.com" })).toBe("Ana");
});

test("behavior 19.87: the ways in which somebody signs in have names", () => {
  expect(describeMethods(["password", "passkey", "oidc"])).toBe("password, passkey, provider");
});

import { expect, test } from "bun:test";
import { readRdapAnswer } from "../../../src/domain/registration/rdap-answer.ts";

const expiration = { eventAction: "expiration", eventDate: "2027-03-04T05:06:07Z" };
const answer = { objectClassName: "domain", ldhName: "EXAMPLE.COM", events: [expiration] };

function read(changes: object, domain = "example.com") {
  return readRdapAnswer(JSON.stringify({ ...answer, ...changes }), domain);
}

test("behavior 20.74: an answer gives the end, the registrar and the statuses in the names of EPP", () => {
  const registrar = {
    roles: ["registrar"],
    vcardArray: [
      "vcard",
      [
        ["version", {}, "text", "4.0"],
        ["fn", {}, "text", " Registrar\nInc. "],
      ],
    ],
  };
  const status = ["active", "client hold", "pendingDelete", "redemption period", "associated", "odd <b>"];
  expect(read({ status, entities: [{ roles: ["technical"] }, registrar] })).toEqual({
    outcome: "answered",
    facts: {
      expiresAt: "2027-03-04T05:06:07.000Z",
      registrar: "Registrar Inc.",
      statuses: ["clientHold", "linked", "ok", "pendingDelete", "redemptionPeriod"],
    },
  });
});

test.each<[string, object]>([
  ["no events", { events: undefined }],
  ["events of other kinds", { events: [{ eventAction: "last changed", eventDate: expiration.eventDate }] }],
  ["a date that is none", { events: [{ ...expiration, eventDate: "soon" }] }],
  ["a date without end", { events: [{ ...expiration, eventDate: "+123456-01-01T00:00:00Z" }] }],
  ["events that are no list", { events: { expiration } }],
])("behavior 20.72: an answer with %s has no date", (_, changes) => {
  expect(read(changes)).toEqual({ outcome: "no_date" });
});

test.each<[string, object]>([
  ["another domain", { ldhName: "example.org" }],
  ["a domain under it", { ldhName: "www.example.com" }],
  ["no domain", { ldhName: undefined }],
  ["a name that is no text", { ldhName: 7 }],
  ["an entity", { objectClassName: "entity" }],
])("behavior 20.74: an answer about %s is not taken", (_, changes) => {
  expect(read(changes)).toEqual({ outcome: "refused", message: "the answer is about another domain" });
});

test.each(["", "<html>", "[]", "null", '"domain"'])("behavior 20.74: %j is not taken", (text) => {
  expect(readRdapAnswer(text, "example.com").outcome).toBe("refused");
});

test("a name in Unicode is the same as in ASCII", () => {
  const named = { ldhName: undefined, unicodeName: "müller.example." };
  expect(read(named, "xn--mller-kva.example").outcome).toBe("answered");
});

test("entities and statuses of any form do no harm", () => {
  const entities = [
    null,
    7,
    { roles: "registrar" },
    { roles: ["registrar"], vcardArray: ["vcard", [["fn"]]] },
  ];
  expect(read({ entities, status: [null, { a: 1 }], events: [null, 7, expiration] })).toMatchObject({
    outcome: "answered",
    facts: { registrar: null, statuses: [] },
  });
});

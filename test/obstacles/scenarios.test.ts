import { expect, test } from "bun:test";
import { moduleOf } from "../../scripts/obstacles/peers/blackbox-module.ts";
import { CLASSES } from "../../scripts/obstacles/registry.ts";
import { SAMPLE } from "../../scripts/obstacles/sample.ts";

const ALL = Object.values(CLASSES).flat();

test("each scenario has a name of its own, which is a label of the DNS", () => {
  const names = ALL.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of [...names, ...Object.keys(CLASSES)]) expect(name).toMatch(/^[a-z0-9.-]{1,40}$/);
});

test("each stage has a truth for each monitor", () => {
  for (const { monitors, stages } of ALL)
    for (const { truths } of stages) expect(Object.keys(truths).sort()).toEqual(Object.keys(monitors).sort());
});

test("the sample has scenarios of each class, except those that load a machine", () => {
  for (const [name, own] of Object.entries(CLASSES))
    expect([name, own.some((one) => SAMPLE.includes(one.name))]).toEqual([
      name,
      !own.some(({ load }) => load),
    ]);
  for (const name of SAMPLE) expect(ALL.map((one) => one.name)).toContain(name);
});

test("blackbox_exporter is asked for what a monitor expects, and for nothing that it can't express", () => {
  const world = { authority: "/authority.pem", dns: "127.0.0.1:53" };
  const http = (expect: object) =>
    moduleOf({ type: "HTTP", config: { url: "http://a.test/", interval: 2, timeout: 1, expect } }, world);
  expect(http({ status: ["200-202", 418], contains: "a.b" })).toMatchObject({
    target: "http://a.test/",
    module: {
      timeout: "1s",
      http: { valid_status_codes: [200, 201, 202, 418], fail_if_body_not_matches_regexp: ["a\\.b"] },
    },
  });
  expect(http({ json: { "$.a": 1 } })).toBeUndefined();
  expect(moduleOf({ type: "SCHEDULED", config: { period: 60 } }, world)).toBeUndefined();
});

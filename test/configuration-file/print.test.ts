import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { printConfiguration } from "../../src/configuration-file/print.ts";
import { readConfiguration } from "../../src/configuration-file/read.ts";
import { literal } from "../../src/domain/configuration/placeholder.ts";

setDefaultTimeout(300_000);

test("behavior 16.74: a document is printed in the order of its fields, with a comment at each placeholder", () => {
  const document = {
    defaults: { config: { interval: 60 } },
    channels: {
      ops: {
        type: "SLACK",
        config: { webhookUrl: "${SLACK_OPS}" },
        notifyOn: ["down", "warning"],
      },
    },
    monitors: {
      "12.30": {
        name: "on",
        type: "HTTP",
        config: {
          url: "https://${HOST}/",
          body: "a: b\n  c\n",
          expect: { status: ["2xx"], json: { "$.depth": { min: 1 } } },
        },
        alertBindings: [{ alertChannelId: "ops", after: 300 }],
      },
      nightly: { type: "SCHEDULED", config: { cron: "* * * * *" } },
    },
    history: { nightly: { "2026-11-20": { up: 2, down: 1 } } },
  };
  expect(printConfiguration(document, { secrets: ["SLACK_OPS"], head: ["One", "Two"] })).toBe(`# One
# Two

defaults:
  config:
    interval: 60

channels:
  ops:
    type: SLACK
    config:
      webhookUrl: \${SLACK_OPS} # a secret: set SLACK_OPS
    notifyOn: [down, warning]

monitors:
  "12.30":
    name: "on"
    type: HTTP
    config:
      url: https://\${HOST}/ # set HOST
      body: |
        a: b
          c
      expect:
        status: [2xx]
        json:
          $.depth: {min: 1}
    alertBindings:
      - alertChannelId: ops
        after: 300
  nightly:
    type: SCHEDULED
    config:
      cron: "* * * * *"

history:
  "nightly":
    "2026-11-20": {"up":2,"down":1}
`);
});

test("behavior 16.74: a printed document is read as the same values, whatever its texts are", () => {
  const text = fc.string({
    unit: fc.constantFrom(..."ab01 \n\t:#-&*!|>'\"%@`{}[],?.\\~=<$é\u2028\u{1f600}\u0007\ufeff"),
  });
  const scalar = fc.oneof(
    text,
    fc.constantFrom(
      "on",
      "no",
      "null",
      "~",
      "1e3",
      "0x1f",
      "12:30",
      "2027-01-31",
      "<<",
      "=",
      "# a",
      "a #b",
      "--- a",
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
    fc.boolean(),
    fc.constant(null),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie("tree")), fc.dictionary(text, tie("tree"))),
  }));
  fc.assert(
    fc.property(
      fc.dictionary(text, tree),
      fc.dictionary(text, fc.dictionary(text, scalar)),
      (document, history) => {
        const all = { ...document, ...(Object.keys(history).length > 0 && { history }) };
        const { value, faults } = readConfiguration(printConfiguration(literals(all) as object), {});
        expect(faults).toEqual([]);
        expect(value).toEqual(all);
      },
    ),
    { numRuns: 30 },
  );
});

/** The same values with texts as they are written in a document. */
function literals(value: unknown): unknown {
  if (typeof value === "string") return literal(value);
  if (Array.isArray(value)) return value.map(literals);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, literals(one)]));
}

test("behavior 16.64: a printed history is read like any other, and its faults have lines", () => {
  const days = { "2026-11-20": { up: 2, down: 1, latency: 1.5 }, "2026-11-21": { up: 3 } };
  const document = { monitors: { a: { type: "SCHEDULED" } }, history: { a: days, "b.c": {}, d: days } };
  const printed = printConfiguration(document);
  const texts = [
    printed,
    printed.replaceAll('"', "'"),
    `${printed}# end\n`,
    printed.replace("history:", "history: "),
  ];
  for (const text of texts) {
    const { value, faults, placeOf } = readConfiguration(text, {});
    expect(faults).toEqual([]);
    expect(value).toEqual(document);
    const lines = ["a.2026-11-21", "a.2026-11-22", "d.2026-11-20.up", "d", "e"].map(
      (path) => placeOf(`history.${path}`).line,
    );
    expect([...lines, placeOf('history["b.c"]').line, placeOf("history").line]).toEqual([
      8, 6, 11, 10, 5, 9, 5,
    ]);
  }
  const twice = readConfiguration(`${printed}  "a": {}\n`, {});
  expect(twice.faults).toEqual([{ path: "history.a", message: "must not be in the map twice", line: 13 }]);
  expect(readConfiguration(printed.replace("monitors:", "monitors: ["), {}).faults).not.toEqual([]);
});

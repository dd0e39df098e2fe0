import { describe, expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { configurationSchema } from "../../../src/domain/configuration/json-schema.ts";
import { parseDocument } from "../../../src/domain/configuration/parse-document.ts";

const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(
  configurationSchema(),
);

const whole = {
  docker: { socket: "/var/run/docker.sock", host: "127.0.0.1" },
  kubernetes: {},
  files: "/etc/targets/*.yml",
  http: "http://sd.example/",
  grace: 60,
};
const job = { type: "SCHEDULED" };

describe("behavior 28.2: discover in a document", () => {
  test("is valid in the file of a server only", () => {
    const document = { discover: whole, monitors: { job } };
    expect(parseDocument(document, "serverFile").faults).toEqual([]);
    for (const origin of [undefined, "anybody", "discovery"] as const)
      expect(parseDocument({ discover: whole }, origin).faults).toEqual([
        {
          path: "discover",
          message:
            "must be in the file of `serve --config`, or be given to the server as --discover: " +
            "a server reads sources only as its operator says",
        },
      ]);
  });

  test.each([
    [{ docker: { socket: "run" } }, "discover.docker.socket"],
    [[], "discover"],
    [null, "discover"],
  ])("is validated everywhere: %j", (discover, path) => {
    for (const origin of ["serverFile", "anybody"] as const)
      expect(parseDocument({ discover }, origin).faults).toMatchObject([{ path }]);
  });

  test("is in the JSON Schema, with placeholders", () => {
    const secret = "${SECRET}";
    for (const discover of [whole, {}, { http: secret, docker: { socket: secret } }])
      expect([validate({ discover }), validate.errors]).toEqual([true, null]);
    for (const discover of [{ docker: {} }, { docker: { socket: "run" } }, { http: "ftp://a" }, { other: 1 }])
      expect(validate({ discover })).toBe(false);
  });
});

test("behavior 28.10, 28.11: only a discovery gives refs with a slash, and only to monitors", () => {
  const faultsOf = (document: object, origin?: "discovery") =>
    parseDocument(document, origin).faults.map(({ path }) => path);
  const discovered = { monitors: { "docker/web": job, "kubernetes/a.example.com": job, "files/a_b": job } };
  expect(faultsOf(discovered, "discovery")).toEqual([]);
  expect(faultsOf(discovered)).toEqual(
    Object.keys(discovered.monitors).map((ref) => `monitors[${JSON.stringify(ref)}]`),
  );
  const wrong = {
    monitors: { web: job, "other/web": job, "docker/": job, "docker/a/b": job, "http/A": job },
  };
  expect(faultsOf(wrong, "discovery")).toHaveLength(5);
  const channels = { channels: { "docker/a": { type: "EMAIL", config: { to: "a@example.com" } } } };
  expect(faultsOf(channels, "discovery")).toEqual(['channels["docker/a"]']);
});

import { expect, test } from "bun:test";
import { readContainers } from "../../../src/domain/discovery/containers.ts";
import { buildEntry } from "../../../src/domain/discovery/entry.ts";
import { nameOfTarget } from "../../../src/domain/discovery/names.ts";
import { parseRoute, readRoutes } from "../../../src/domain/discovery/routes.ts";
import { parseGroups, readGroups } from "../../../src/domain/discovery/targets.ts";
import { ingress } from "../../support/servers/api-server.ts";

/*
 * Texts and lists as long as an answer can have them. A step that takes the square of their length would not end before the
 * test does.
 */

const LONG = 2 ** 23;
const NOWHERE = {};

test("behavior 28.60: the name of a long target", () => {
  for (const text of ["-", "a-", "@", "_", "://", "ä", "a:", " "]) {
    const target = `${text.repeat(4095 / text.length)}x`;
    expect(nameOfTarget(target).length).toBeLessThanOrEqual(100);
    const groups = parseGroups(Array(1000).fill({ targets: [target, `https://${target}`.slice(0, 4096)] }));
    expect(readGroups("files", groups).found).toHaveLength(2000);
  }
  const groups = [{ targets: ["a".repeat(LONG)] }];
  expect(() => parseGroups(groups)).toThrow("entry 1 has a target that is longer than 4096 characters");
});

test("behavior 28.60: a long value, and a value with many commas", () => {
  for (const text of [",", "a,", "[", "{", "1", "200,"]) {
    const parts = [
      ["tags"],
      ["expect", "status"],
      ["expect", "contains"],
      ["steps"],
      [text.repeat(LONG / text.length)],
    ];
    const long = text.repeat(1_000_000 / text.length);
    expect(
      buildEntry(
        parts.map((one) => ({ parts: one, text: long })),
        NOWHERE,
      ).entry,
    ).toBeDefined();
    const longer = buildEntry([{ parts: ["tags"], text: `${long}${text}` }], NOWHERE);
    expect(longer.fault).toBe("tags must have at most 1,000,000 characters");
  }
});

test("behavior 28.60: many labels of one container, and many ports", () => {
  const labels = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`stillup.web.f${at}`, "1"]));
  const ports = Array.from({ length: 30_000 }, (_, at) => ({
    PrivatePort: 1 + (at % 60_000),
    PublicPort: 1 + (at % 60_000),
    Type: "tcp",
  }));
  const { found } = readContainers([{ Id: "a", Names: ["/web"], Labels: labels, Ports: ports }], {
    host: "127.0.0.1",
    own: "",
  });
  expect(found[0]?.entries).toHaveLength(1);
});

test("behavior 28.60: many hosts of one Ingress", () => {
  const hosts = Array.from({ length: 100_000 }, (_, at) => `${at}.test`);
  const route = parseRoute("Ingress", ingress("shop", hosts, { tls: hosts }));
  expect(route.hosts).toHaveLength(100_000);
  expect(() => readRoutes([route])).toThrow("there are 100000 hosts: at most 10,000 can be read");
});

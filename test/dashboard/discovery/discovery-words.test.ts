import { expect, test } from "bun:test";
import {
  describeFound,
  describeUnwatched,
  draftHref,
} from "../../../src/dashboard/web/discovery/discovery.tsx";
import { draftOf } from "../../../src/dashboard/web/discovery/discovery-query.ts";

const readAt = "2026-11-29T08:00:00.000Z";

test.each([
  ["docker", 12, 40, "12 of 40 containers are watched by nobody"],
  ["docker", 1, 1500, "1 of 1,500 containers is watched by nobody"],
  ["kubernetes", 2, 3, "2 of 3 hosts are watched by nobody"],
  ["files", 1, 2, "1 of 2 targets in files is watched by nobody"],
  ["http", 7, 7, "7 of 7 targets over HTTP are watched by nobody"],
] as const)(
  "behavior 28.100: of %s, %d of %d unwatched are shown as %j",
  (source, unwatched, found, words) => {
    const shown = { source, found, unwatched, readAt };
    expect(describeUnwatched(shown)).toBe(words);
    expect(describeFound(shown)).toBe(words);
  },
);

test.each([
  [0, "Nothing found"],
  [1, "1 found, and watched"],
  [1500, "1,500 found, all watched"],
])("behavior 28.103: of %d things that are all watched, the view says %j", (found, words) => {
  expect(describeFound({ source: "docker", found, unwatched: 0, readAt })).toBe(words);
});

const draft = {
  name: "cache",
  type: "TCP",
  config: { host: "127.0.0.1", port: 6379, protocol: "redis" },
} as const;
const found = {
  ...{ sources: [], entries: [], faults: [] },
  unwatched: [
    { source: "docker", name: "cache", draft },
    { source: "kubernetes", name: "*.example.com", draft: null },
  ],
} satisfies Parameters<typeof draftOf>[0];

test("behavior 28.104: a form is filled with the draft of the thing in its address", () => {
  expect(draftOf(found, "docker/cache")).toEqual({ name: "cache", kind: "DATABASE", config: draft.config });
  expect(draftOf(found, "kubernetes/*.example.com")).toEqual({
    ...{ name: "*.example.com", kind: "HTTP", config: {} },
  });
  expect(draftOf(found, "files/cache")).toBeUndefined();
});

test.each(["a/b c", "10.0.0.1:80", "?&=#"])(
  "behavior 28.104: the address of a form has the name %j",
  (name) => {
    const { searchParams } = new URL(draftHref("docker", name), "http://localhost");
    expect(searchParams.get("found")).toBe(`docker/${name}`);
  },
);

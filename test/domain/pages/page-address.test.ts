import { describe, expect, test } from "bun:test";
import { createPageAddresses, parsePageHosts } from "../../../src/domain/pages/page-look.ts";

const hosts = new Map([
  ["status.example.com", "shop"],
  ["status.example.org", "shop"],
  ["blog.example.com", "blog"],
]);

describe("the hosts of pages", () => {
  test.each([
    ["status.example.com=shop", [["status.example.com", "shop"]]],
    ["Status.Example.COM.=shop", [["status.example.com", "shop"]]],
    [
      "a.example.com=a, b.example.com=a",
      [
        ["a.example.com", "a"],
        ["b.example.com", "a"],
      ],
    ],
    ["straße.example=shop", [["xn--strae-oqa.example", "shop"]]],
    ["localhost=shop", [["localhost", "shop"]]],
  ])("behavior 15.36: %p is read", (text, expected) => {
    expect([...(parsePageHosts(text) ?? [])]).toEqual(expected as [string, string][]);
  });

  test.each([
    "",
    "status.example.com",
    "status.example.com=",
    "=shop",
    "status.example.com=Shop",
    "status.example.com=shop=blog",
    "status.example.com:8443=shop",
    "https://status.example.com=shop",
    "status.example.com/shop=shop",
    "user@status.example.com=shop",
    "[::1]=shop",
    "a b=shop",
    "a.example.com=a,",
    "a.example.com=a,A.example.com=b",
    `a.example.com=${"a".repeat(64)}`,
  ])("behavior 15.36: %p is refused", (text) => {
    expect(parsePageHosts(text)).toBeUndefined();
  });
});

describe("the address of a page", () => {
  test("behavior 15.36: begins with its host, else with the base URL", () => {
    const { urlOf } = createPageAddresses(hosts, () => "https://up.example.com/monitoring");
    expect(urlOf("shop")).toBe("https://status.example.com");
    expect(urlOf("blog")).toBe("https://blog.example.com");
    expect(urlOf("other")).toBe("https://up.example.com/monitoring/status/other");
  });

  test("behavior 15.36: has the scheme of the base URL", () => {
    expect(createPageAddresses(hosts, () => "http://127.0.0.1:7070").urlOf("shop")).toBe(
      "http://status.example.com",
    );
  });
});

test.each([
  ["status.example.com", "shop"],
  ["STATUS.example.com:8443", "shop"],
  ["blog.example.com.", "blog"],
  ["blog.example.com.:443", "blog"],
  ["up.example.com", undefined],
  ["[::1]:7070", undefined],
  ["", undefined],
  [null, undefined],
])("behavior 15.36: a request with the host %p is for %p", (host, slug) => {
  const { slugAtHost } = createPageAddresses(hosts, () => "https://up.example.com");
  expect(slugAtHost({ headers: { get: () => host } })).toBe(slug as string);
});

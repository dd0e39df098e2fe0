import { expect, test } from "bun:test";
import { parseRoute, type RouteKind, readRoutes } from "../../../src/domain/discovery/routes.ts";
import { httpRoute, ingress } from "../../support/servers/api-server.ts";

function read(...objects: [RouteKind, unknown][]) {
  return readRoutes(objects.map(([kind, object]) => parseRoute(kind, object)));
}

const entriesOf = (...objects: [RouteKind, unknown][]) =>
  read(...objects).found.flatMap(({ entries }) => entries);
const urlsOf = (...objects: [RouteKind, unknown][]) =>
  entriesOf(...objects).map(({ ref, entry }) => [ref, (entry as { config: { url?: string } }).config.url]);

test("behavior 28.45: each host of an Ingress is a monitor, by https if a tls section has the host", () => {
  const object = ingress("shop", ["shop.test", "API.shop.test", "plain.test", "shop.test", ""], {
    tls: ["shop.test", "api.shop.test"],
  });
  expect(urlsOf(["Ingress", object])).toEqual([
    ["kubernetes/shop.test", "https://shop.test/"],
    ["kubernetes/api.shop.test", "https://api.shop.test/"],
    ["kubernetes/plain.test", "http://plain.test/"],
  ]);
  const wildcard = ingress("shop", ["a.shop.test", "b.a.shop.test", "shop.test"], { tls: ["*.shop.test"] });
  expect(urlsOf(["Ingress", wildcard])).toEqual([
    ["kubernetes/a.shop.test", "https://a.shop.test/"],
    ["kubernetes/b.a.shop.test", "http://b.a.shop.test/"],
    ["kubernetes/shop.test", "http://shop.test/"],
  ]);
});

test("behavior 28.45: each host name of an HTTPRoute is a monitor by https", () => {
  expect(urlsOf(["HTTPRoute", httpRoute("shop", ["shop.test", "www.shop.test"])])).toEqual([
    ["kubernetes/shop.test", "https://shop.test/"],
    ["kubernetes/www.shop.test", "https://www.shop.test/"],
  ]);
  expect(read(["HTTPRoute", httpRoute("all", undefined)]).found).toEqual([]);
});

test("behavior 28.45: an object without rules, and one whose host is longer than a ref", () => {
  const { found } = read([
    "Ingress",
    { metadata: { name: "default", namespace: "shop" }, spec: { defaultBackend: {} } },
  ]);
  expect(found).toEqual([]);
  const host = `${"a".repeat(60)}.${"b".repeat(60)}.test`;
  const [entry] = entriesOf(["HTTPRoute", httpRoute("long", [host])]);
  expect(entry?.ref).toMatch(/^kubernetes\/a{60}\.b{30}-[0-9a-f]{8}$/);
  expect(entry?.entry).toMatchObject({ config: { url: `https://${host}/` } });
});

test("behavior 28.46: annotations set the fields of all hosts of an object, and others are ignored", () => {
  const annotations = {
    "stillup.dev/interval": "30",
    "stillup.dev/expect.status": "200",
    "stillup.dev/tags": "shop,web",
    "cert-manager.io/cluster-issuer": "letsencrypt",
  };
  const config = { interval: 30, expect: { status: [200] } };
  expect(entriesOf(["Ingress", ingress("shop", ["a.test", "b.test"], { annotations })])).toEqual([
    {
      ref: "kubernetes/a.test",
      entry: { type: "HTTP", tags: ["shop", "web"], config: { url: "http://a.test/", ...config } },
    },
    {
      ref: "kubernetes/b.test",
      entry: { type: "HTTP", tags: ["shop", "web"], config: { url: "http://b.test/", ...config } },
    },
  ]);
  const tls = { "stillup.dev/type": "TLS" };
  expect(entriesOf(["HTTPRoute", httpRoute("shop", ["a.test"], tls)])[0]?.entry).toEqual({
    ...{ type: "TLS", config: { host: "a.test", port: 443 } },
  });
  const twice = { "stillup.dev/interval": "30", "stillup.dev/config.interval": "30" };
  expect(read(["HTTPRoute", httpRoute("shop", ["a.test"], twice)]).faults).toEqual([
    {
      entry: "kubernetes/a.test",
      message:
        "in the annotations of HTTPRoute shop/shop: config.interval is given twice: another field has its place",
    },
  ]);
});

test("behavior 28.46: an excluded object and a host with a wildcard have no monitors", () => {
  const excluded = ingress("off", ["off.test"], { annotations: { "stillup.dev/enable": "false" } });
  const odd = ingress("odd", ["*.shop.test"], { annotations: { "stillup.dev/enable": "no" } });
  const { found, faults } = read(["Ingress", excluded], ["Ingress", odd]);
  expect(found).toMatchObject([
    { name: "off.test", isExcluded: true, entries: [] },
    { name: "*.shop.test", isExcluded: false, isRunning: true, entries: [], addresses: [], draft: null },
  ]);
  expect(faults).toEqual([
    { entry: "Ingress shop/odd", message: "stillup.dev/enable must be true or false" },
  ]);
});

test("behavior 28.35, 28.46: a host of two objects is found once", () => {
  const one = ingress("shop", ["shop.test"], { tls: ["shop.test"] });
  expect(read(["Ingress", one], ["HTTPRoute", httpRoute("shop", ["shop.test"])])).toMatchObject({
    found: [{ name: "shop.test", isExcluded: false, addresses: ["shop.test"] }],
    faults: [],
  });
  const other = ingress("api", ["shop.test"], {
    tls: ["shop.test"],
    annotations: { "stillup.dev/interval": "30" },
  });
  const unequal = read(["Ingress", one], ["Ingress", other]);
  expect(unequal.found).toMatchObject([{ name: "shop.test", entries: [] }]);
  expect(unequal.found[0]?.draft).toEqual({
    ...{ name: "shop.test", type: "HTTP" },
    config: { url: "https://shop.test/", interval: 60 },
  });
  expect(unequal.faults).toEqual([
    {
      entry: "kubernetes/shop.test",
      message: "is described by shop.test twice with different values of config.interval: all must be equal",
    },
  ]);
  const excluded = ingress("api", ["shop.test"], { annotations: { "stillup.dev/enable": "false" } });
  expect(read(["Ingress", excluded], ["Ingress", one]).found).toMatchObject([{ isExcluded: false }]);
});

const WRONG: [RouteKind, string, unknown][] = [
  ["Ingress", "an entry of the list is no Ingress", null],
  ["Ingress", "an entry of the list is no Ingress", { metadata: { name: "a" } }],
  [
    "HTTPRoute",
    "an entry of the list is no HTTPRoute",
    { metadata: { name: "a", namespace: "b" }, spec: [] },
  ],
  ["Ingress", "the rules of Ingress shop/a must be a list of objects", { spec: { rules: {} } }],
  ["Ingress", "the hosts of Ingress shop/a must be a list of texts", { spec: { rules: [{ host: 1 }] } }],
  [
    "Ingress",
    "the hosts in the tls of Ingress shop/a must be a list of texts",
    { spec: { tls: [{ hosts: "a" }] } },
  ],
  [
    "HTTPRoute",
    "the host names of HTTPRoute shop/a must be a list of texts",
    { spec: { hostnames: "a.test" } },
  ],
];

test("behavior 28.62: an object with another form is a fault of the source", () => {
  for (const [kind, message, part] of WRONG) {
    const object = part && { metadata: { name: "a", namespace: "shop" }, ...part };
    expect(() => read([kind, object])).toThrow(message);
  }
  const annotated = { metadata: { name: "a", namespace: "shop", annotations: { a: {} } } };
  expect(() => read(["Ingress", annotated])).toThrow(
    "the annotations of Ingress shop/a must be an object with texts",
  );
});

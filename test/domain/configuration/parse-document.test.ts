import { describe, expect, test } from "bun:test";
import { parseDocument, parseInSteps } from "../../../src/domain/configuration/parse-document.ts";

const shop = { type: "HTTP", config: { url: "https://shop.example.com/", interval: 60 } };
const webhook = (config: object) => ({ channels: { ops: { type: "WEBHOOK", config } } });
const monitor = (entry: object) => ({ monitors: { shop: { ...shop, ...entry } } });

const faultsOf = (value: unknown) => parseDocument(value).faults;
const linesOf = (value: unknown) => faultsOf(value).map(({ path, message }) => `${path}: ${message}`);

/** The only monitor of a valid document. */
function parsed(document: object) {
  const { document: result, faults } = parseDocument(document);
  expect(faults).toEqual([]);
  const [one] = result.monitors.values();
  if (!one) throw new Error("there is no monitor");
  return one;
}

describe("behavior 16.20: an entry of a document", () => {
  test("has the defaults of the API, and its ref as its name", () => {
    expect(parsed(monitor({}))).toEqual({
      name: "shop",
      type: "HTTP",
      config: shop.config,
      enabled: true,
      bindings: null,
      bindingsField: "alertChannelIds",
      confirmations: 0,
      recoveries: 0,
      locations: ["here"],
      downWhen: "majority",
      tags: [],
      dependsOn: [],
      given: ["type", "config.url", "config.interval"],
    });
    const { maintenances, pages } = parseDocument({
      maintenances: { rack: { selector: { all: true }, cron: "0 2 * * *", duration: 60 } },
      pages: { p: { slug: "p" } },
    }).document;
    expect(maintenances.get("rack")).toMatchObject({
      title: "rack",
      message: null,
      times: { timezone: "UTC" },
    });
    expect(pages.get("p")).toMatchObject({ title: "p", visibility: "off", days: 90, components: [] });
  });

  test("of a job may have no config", () => {
    expect(parsed({ monitors: { job: { type: "SCHEDULED" } } })).toMatchObject({ config: {} });
  });

  test("may name a schema for editors", () => {
    expect(faultsOf({ $schema: "https://stillup.example.com/schema/config.json" })).toEqual([]);
  });
});

describe("behavior 16.21: faults", () => {
  test.each([
    [null, "the document: must be an object, got null"],
    [[], "the document: must be an object"],
    ["monitors", "the document: must be an object"],
    [{ monitor: {} }, "monitor: is not a known field: did you mean monitors?"],
    [{ monitors: null }, "monitors: must be an object, got null"],
    [{ monitors: { shop: null } }, "monitors.shop: must be an object, got null"],
    [
      { channels: { "Ops team": { type: "EMAIL", config: { to: "a@example.com" } } } },
      'channels["Ops team"]: must have a ref as its name, which must be 1 to 100 characters of a-z, 0-9 and . _ -, and begin with a letter or a digit',
    ],
    [{ monitors: { "a.b": { type: "HTTP", config: {} } } }, 'monitors["a.b"].config.url: is required'],
    [monitor({ ref: "other" }), "monitors.shop.ref: is not a known field"],
    [monitor({ enabled: "yes" }), "monitors.shop.enabled: must be true or false"],
    [
      monitor({ config: { ...shop.config, timeout: 90 } }),
      "monitors.shop.config.timeout: must be a whole number from 1 to 60, got 90",
    ],
    [
      monitor({ config: { ...shop.config, interval: 5, timeout: 9 } }),
      "monitors.shop.config.timeout: must be at most config.interval, 5 s, got 9",
    ],
    [
      monitor({ config: { ...shop.config, headers: { "a b": "x" } } }),
      'monitors.shop.config.headers["a b"]: must have the name of a header: letters, digits and !#$%&\'*+-.^_`|~',
    ],
    [
      monitor({ alertChannelIds: [], alertBindings: [] }),
      "monitors.shop.alertChannelIds: must be left out if alertBindings is set",
    ],
    [monitor({ downWhen: 2 }), "monitors.shop.downWhen: must be at most 1, the number of locations, got 2"],
    [
      webhook({ url: "https://a/", options: {} }),
      "channels.ops.config.options: must be left out with the format standard",
    ],
    [
      webhook({ url: "https://a/", format: "custom", options: {} }),
      "channels.ops.config.options.body: is required with POST",
    ],
    [
      {
        maintenances: { m: { selector: { all: true }, startsAt: "2027-01-01T00:00:00Z", cron: "0 2 * * *" } },
      },
      "maintenances.m: startsAt and cron must not be given together",
    ],
    [
      { maintenances: { m: { selector: { all: true }, cron: "0 2 * * *" } } },
      "maintenances.m.duration: is required with cron",
    ],
    [{ pages: { p: { slug: "P" } } }, "pages.p.slug: must be 1 to 63 of the characters a-z, 0-9 and -"],
  ])("%#: %j", (document, line) => {
    expect(linesOf(document)).toContain(line);
  });

  test("are all found, each field once", () => {
    const wrong = { type: "TCP", config: { host: "a b", prot: 1 }, tags: ["A"], confirmations: 11 };
    expect(
      faultsOf({ monitors: { a: wrong, b: { type: "HTP" } } })
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual([
      "monitors.a.config.host",
      "monitors.a.config.interval",
      "monitors.a.config.prot",
      "monitors.a.confirmations",
      "monitors.a.tags.0",
      "monitors.b.type",
    ]);
  });

  test("repeat a short wrong text", () => {
    expect(faultsOf(monitor({ config: { ...shop.config, url: "shop" } }))).toMatchObject([{ got: "shop" }]);
    expect(faultsOf({ monitors: { a: { ...shop, type: "HTP" } } })).toMatchObject([{ got: "HTP" }]);
  });

  test.each([
    [monitor({ config: { ...shop.config, url: "x".repeat(61) } })],
    [monitor({ config: { ...shop.config, url: "https://me:s3cret@example.com/" } })],
    [monitor({ config: { ...shop.config, url: "ftp://example.com/?token=s3cret" } })],
    [monitor({ config: { ...shop.config, headers: "Authorization: s3cret" } })],
    [monitor({ config: { ...shop.config, headers: { Authorization: "s3cret\n" } } })],
    [monitor({ config: { ...shop.config, basicAuth: "me:s3cret" } })],
    [monitor({ config: { ...shop.config, proxy: { url: "http://me:s3cret@proxy.example.com:3128" } } })],
    [monitor({ config: { ...shop.config, proxy: { url: "proxy.example.com:3128?key=s3cret" } } })],
    [monitor({ config: { ...shop.config, proxy: "http://me:s3cret@proxy.example.com" } })],
    [monitor({ config: { ...shop.config, clientCertificate: { certificate: "s3cret", key: "s3cret" } } })],
    [monitor({ config: { ...shop.config, digestAuth: { user: "me", password: ["s3cret"] } } })],
    [monitor({ config: { ...shop.config, oauth2: "me:s3cret" } })],
    [monitor({ config: { ...shop.config, method: "POST", body: "" } })],
    [monitor({ pasword: "s3cret" })],
    [webhook({ url: "hooks.example.com/s3cret" })],
    [webhook({ url: "https://a/", secret: "whsec_s3cret" })],
    [{ channels: { ops: { type: "SLACK", config: { webhookUrl: "s3cret" } } } }],
    [{ pages: { shop: { slug: "shop", visibility: "password", password: "s3cret" } } }],
    [{ pages: { shop: { slug: "shop", visibility: "password", password: 123456 } } }],
  ])("never repeat what may be a secret: %j", (document) => {
    const faults = faultsOf(document);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.filter(({ got }) => got !== undefined)).toEqual([]);
    expect(JSON.stringify(faults)).not.toMatch(/s3cret|123456/);
  });
});

describe("behavior 16.22: defaults", () => {
  const of = (entry: object, defaults: object) => parsed({ defaults, monitors: { shop: entry } });
  const job = { type: "SCHEDULED" };

  test("are for the fields that an entry does not give, and those of config for the types that know them", () => {
    const defaults = {
      tags: ["a"],
      confirmations: 2,
      config: { interval: 30, timeout: 5, port: 853, warnDays: 7 },
    };
    expect(of({ ...shop, tags: [] }, defaults)).toMatchObject({
      tags: [],
      confirmations: 2,
      config: { ...shop.config, interval: 60, timeout: 5 },
    });
    expect(of({ type: "TLS", config: { host: "a" } }, defaults).config).toEqual({
      host: "a",
      interval: 30,
      port: 853,
      warnDays: 7,
    });
    expect(of(job, defaults).config).toEqual({});
  });

  test("of one form of bindings leave the other form of an entry alone", () => {
    const [ids, bindings] = [
      { alertChannelIds: ["a"] },
      { alertBindings: [{ alertChannelId: "b", after: 60 }] },
    ];
    const bound = (channel: string, after: number) => ({ bindings: [{ channel, after, every: 0 }] });
    expect(of({ ...shop, ...bindings }, ids)).toMatchObject(bound("b", 60));
    expect(of({ ...shop, ...ids }, bindings)).toMatchObject(bound("a", 0));
    expect(of(shop, bindings)).toMatchObject({ ...bound("b", 60), bindingsField: "alertBindings" });
  });

  test("that a job can't have are left out", () => {
    const defaults = {
      locations: ["here", "x"],
      downWhen: 2,
      config: { period: 60, timezone: "Europe/Berlin" },
    };
    expect(of({ ...job, config: { cron: "0 3 * * *" } }, defaults).config).toEqual({
      cron: "0 3 * * *",
      timezone: "Europe/Berlin",
    });
    expect(of(job, defaults)).toMatchObject({
      locations: ["here"],
      downWhen: "majority",
      config: { period: 60 },
    });
    expect(of(shop, defaults)).toMatchObject({ locations: ["here", "x"], downWhen: 2 });
  });

  test("never let a monitor depend on itself", () => {
    const { monitors } = parseDocument({
      defaults: { dependsOn: ["router"] },
      monitors: { shop, router: shop },
    }).document;
    expect([...monitors.values()].map(({ dependsOn }) => dependsOn)).toEqual([["router"], []]);
  });

  test("have faults of their own, and then count as not given", () => {
    const defaults = { tags: ["A"], config: { intervl: 60, timeout: 0, interval: "1" }, name: "x" };
    expect(linesOf({ defaults, monitors: { shop } })).toEqual([
      "defaults.name: is not a known field",
      "defaults.tags.0: must be 1 to 50 characters of a-z, 0-9 and : _ . -, and begin with a letter or a digit",
      "defaults.config.intervl: is not a known field",
      "defaults.config.timeout: must be a whole number from 1 to 120, got 0",
      "defaults.config.interval: must be a whole number from 1 to 86400",
    ]);
  });
});

describe("a hostile document", () => {
  test.each([
    ["names of methods", { monitors: { constructor: shop, valueof: shop }, channels: { constructor: 1 } }],
    ["a prototype", JSON.parse('{"__proto__":{"monitors":{}},"monitors":{"__proto__":{"type":"HTTP"}}}')],
    ["a type that is a method", { monitors: { a: { type: "toString", config: {} } } }],
    ["fields that are methods", { defaults: { config: { constructor: 1, toString: 2 } } }],
    ["too many values", { monitors: { shop: Array.from({ length: 500_001 }, () => 1) } }],
    ["deep nesting", { monitors: JSON.parse(`${'{"a":'.repeat(1000)}1${"}".repeat(1000)}`) }],
    ["values that JSON lacks", { monitors: { a: new Date() } }],
    ["big numbers", { monitors: { a: { ...shop, confirmations: 1n } } }],
    ["half a character", { monitors: { a: { ...shop, name: "\ud800" } } }],
    ["infinite numbers", monitor({ config: { ...shop.config, interval: Number.POSITIVE_INFINITY } })],
  ])("with %s has faults", (_, document) => {
    expect(faultsOf(document).length).toBeGreaterThan(0);
  });

  test("behavior 16.40: is read in steps, until it has 100 faults", () => {
    const entries = (count: number, entry: object) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, entry]));
    const stepsOf = (entry: object) => [...parseInSteps({ monitors: entries(1000, entry) })].length;
    expect(stepsOf(shop)).toBe(1000);
    expect(stepsOf({ type: "HTTP", config: { url: 5, interval: 60 } })).toBe(100);
  });
});

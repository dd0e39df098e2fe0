import { afterAll, beforeAll, expect, test } from "bun:test";
import { printConfiguration } from "../../src/configuration-file/print.ts";
import { readConfiguration } from "../../src/configuration-file/read.ts";
import { ApiServer } from "../support/product/api-server.ts";
import { createAuthority, type ServerCertificate } from "../support/servers/certificates.ts";

let server: ApiServer;
let pair: ServerCertificate;
beforeAll(async () => {
  server = await ApiServer.start();
  pair = await (await createAuthority()).issue([{ type: "dns", value: "client.example.com" }]);
});
afterAll(() => server[Symbol.asyncDispose]());

const SECRETS = {
  HTTP_ACCESS_KEY: "",
  HTTP_ACCESS_PASSWORD: "proxy-canary",
  HTTP_ACCESS_CLIENT_SECRET: "client-canary",
  HTTP_DIGEST_PASSWORD: "digest-canary",
  HTTP_STEPS_X_KEY: "step-canary",
};

const url = "https://shop.example.com/";

/** A monitor with each field of reach. */
const document = () => ({
  monitors: {
    access: {
      type: "HTTP",
      config: {
        ...{ url, interval: 60 },
        clientCertificate: { certificate: pair.cert, key: pair.key },
        proxy: { url: "socks5://p.example.com:1080", user: "ops", password: SECRETS.HTTP_ACCESS_PASSWORD },
        oauth2: {
          ...{
            tokenUrl: "https://l.example.com/token",
            clientId: "shop",
            scope: "read write",
            audience: "a",
          },
          clientSecret: SECRETS.HTTP_ACCESS_CLIENT_SECRET,
        },
        expect: {
          status: ["2xx", "600-999"],
          matches: ["(?i)ok", "^\\s*$"],
          same: { of: "text", keepDays: 30 },
        },
      },
    },
    digest: {
      type: "HTTP",
      config: {
        ...{ url, interval: 60 },
        digestAuth: { user: "ops", password: SECRETS.HTTP_DIGEST_PASSWORD },
        expect: { same: "header:ETag" },
      },
    },
    steps: {
      type: "HTTP",
      config: {
        timeout: 60,
        interval: 300,
        steps: [
          {
            ...{ name: "sign in", url, method: "POST", body: '{"user": "$${x}"}' },
            ...{
              headers: { "X-Key": SECRETS.HTTP_STEPS_X_KEY },
              take: { TOKEN: "$.token", SID: "cookie:sid" },
            },
          },
          { url: `${url}orders/{{TOKEN}}`, redirects: 3, expect: { status: [200], contains: "order" } },
        ],
      },
    },
    gone: { type: "DNS", config: { hostname: "gone.example.com", expected: [] } },
    any: { type: "DNS", config: { hostname: "any.example.com", expectedAny: ["192.0.2.1"] } },
    part: {
      type: "DNS",
      config: { hostname: "part.example.com", recordType: "TXT", expectedContains: ["v=spf1"] },
    },
  },
});

const isCanary = /canary|PRIVATE KEY/;

test("behavior 16.32, 16.50, 16.51, 16.53, 26.2: a document with each field of reach is the same after an export, and shows no secret", async () => {
  const { owner } = await server.organization("Reach", "enterprise");
  const first = await owner.post("/api/v1/apply", document());
  expect([first.status, first.body.error]).toEqual([200, undefined]);
  expect(isCanary.test(JSON.stringify(first.body))).toBe(false);
  expect((await owner.post("/api/v1/apply", document())).body).toEqual({ data: { changes: [] } });

  const exported = (await owner.get("/api/v1/export")).body.data;
  expect(isCanary.test(JSON.stringify(exported))).toBe(false);
  expect(exported.secrets.toSorted()).toEqual(Object.keys(SECRETS).toSorted());
  const file = printConfiguration(exported.document);
  const { value, faults } = readConfiguration(file, { ...SECRETS, HTTP_ACCESS_KEY: pair.key });
  expect(faults).toEqual([]);
  expect((await owner.post("/api/v1/apply", value)).body).toEqual({ data: { changes: [] } });

  // An empty organization becomes the same.
  const { owner: other } = await server.organization("Reach again", "enterprise");
  expect((await other.post("/api/v1/apply", value)).status).toBe(200);
  expect((await other.get("/api/v1/export")).body.data).toEqual(exported);
});

test("behavior 16.35, 26.2: masked secrets of a document keep the stored ones", async () => {
  const { owner } = await server.organization("Masked", "enterprise");
  await owner.post("/api/v1/apply", document());
  const { body } = await owner.get("/api/v1/monitors?limit=100");
  expect(isCanary.test(JSON.stringify(body))).toBe(false);
  const configs = new Map(body.data.map(({ ref, config }: { ref: string; config: object }) => [ref, config]));
  const monitors = Object.entries(document().monitors).map(([ref, { type }]) => [
    ref,
    { type, config: configs.get(ref) },
  ]);
  const masked = await owner.post("/api/v1/apply", { monitors: Object.fromEntries(monitors) });
  expect(masked.body).toEqual({ data: { changes: [] } });
});

test("behavior 16.30, 16.32: the plan names the fields of the steps that change", async () => {
  const { owner } = await server.organization("Plan", "enterprise");
  await owner.post("/api/v1/apply", document());
  const changed = document();
  const [first, second] = changed.monitors.steps.config.steps;
  const plan = async (steps: unknown[]) => {
    const config = { ...changed.monitors.steps.config, steps };
    const monitors = { steps: { type: "HTTP", config } };
    return (await owner.post("/api/v1/apply?dryRun=true", { monitors })).body.data.changes;
  };
  const change = (...fields: string[]) => [{ action: "update", kind: "monitor", ref: "steps", fields }];
  expect(await plan([first, { ...second, url: `${url}other/{{SID}}`, method: "PUT" }])).toEqual(
    change("config.steps[1].url", "config.steps[1].method"),
  );
  expect(await plan([{ ...first, headers: { "X-Key": "another" } }, second])).toEqual(
    change("config.steps[0].headers"),
  );
  expect(await plan([first, second, { url }])).toEqual(change("config.steps"));
});

test("behavior 16.21: a fault names the field of the step, and repeats no secret", async () => {
  const { owner } = await server.organization("Faults", "enterprise");
  const wrong = document();
  const { config } = wrong.monitors.steps;
  Object.assign(config.steps[1] ?? {}, { url: "shop" });
  Object.assign(wrong.monitors.digest.config.digestAuth, { password: `canary${"x".repeat(2000)}` });
  const { status, body } = await owner.post("/api/v1/apply", wrong);
  expect(status).toBe(422);
  expect(body.faults.map(({ path }: { path: string }) => path)).toEqual([
    "monitors.digest.config.digestAuth.password",
    "monitors.steps.config.steps.1.url",
  ]);
  expect(isCanary.test(JSON.stringify(body))).toBe(false);
});

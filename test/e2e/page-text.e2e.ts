import { expect } from "bun:test";
import type { Reader } from "../support/browser/browser.ts";
import { sharedBrowser } from "../support/browser/served-page.ts";
import { eventually } from "../support/eventually.ts";
import { longTest as test } from "../support/long.ts";
import { Binary } from "../support/product/binary.ts";
import { createLocation, EVIDENCE } from "../support/requests/probe-client.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { startDnsServer } from "../support/servers/dns-server.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { startServer } from "../support/servers/tcp-server.ts";

/** Milliseconds for something that a busy machine does late. */
const LONG = 300_000;

/** Contains the name of its field, so that the test can find it. Without quotes, so that nothing escapes it on its way. */
const evil = (field: string) => `<img src=x onerror=alert(window.ran=/${field}/)>`;

test("every page shows texts from users, targets and receivers as text", async () => {
  await using binary = new Binary();
  const name = "records.example.com";
  using dns = await startDnsServer({
    [`TXT ${name}`]: [{ type: "TXT", name, data: [evil("record")] }],
    [`CNAME ${name}`]: [{ type: "CNAME", name, data: `${evil("alias")}.example.com` }],
  });
  const authority = await createAuthority([{ CN: [evil("issuer")] }]);
  const certificate = await authority.issue([{ type: "dns", value: evil("name") }], {
    subject: [{ CN: [evil("subject")] }],
  });
  using secure = await startServer(() => {}, { tls: certificate });
  using noHttp = await startServer((socket) => socket.end(`${evil("answer")}\r\n`));
  await using receiver = new HttpTarget(
    () => new Response(evil("outcome"), { status: 400, statusText: evil("status") }),
  );
  const server = await binary.serve(["--dns-servers", `127.0.0.1:${dns.port}`]);
  const api = await server.client();
  const create = async (path: string, values: object) =>
    (await api.post(`/api/v1/${path}`, values)).body.data.id;

  const channel = await create("alerts", {
    name: evil("channel"),
    type: "WEBHOOK",
    config: { url: `${receiver.url}?${evil("webhook")}`, secret: evil("secret") },
  });
  const monitor = (type: string, config: object) =>
    create("monitors", { name: evil(type), type, config, alertChannelIds: [channel] });
  const interval = 3600;
  const site = await monitor("HTTP", { url: `http://127.0.0.1:${noHttp.port}/${evil("url")}`, interval });
  const port = await monitor("TCP", { host: "127.0.0.1", port: 1, interval });
  const cert = await monitor("TLS", { host: "127.0.0.1", port: secure.port, interval });
  const expected = [evil("expected")];
  const record = await monitor("DNS", { hostname: name, recordType: "TXT", expected, interval });
  const alias = await monitor("DNS", { hostname: name, recordType: "CNAME", interval });
  const job = await monitor("SCHEDULED", {});
  const location = await createLocation(api, evil("location"));
  await location.probe.work();
  const far = await create("monitors", {
    name: evil("far"),
    type: "TCP",
    config: { host: "127.0.0.1", port: 1, interval },
    locations: ["here", location.id],
    dependsOn: [port],
  });
  const detail = { message: evil("sight") };
  await location.probe.observe({ monitorId: far, evidence: { ...EVIDENCE.failed, detail } });
  const maintenance = await create("maintenances", {
    title: evil("maintenance"),
    message: evil("message"),
    selector: { monitorIds: [site] },
    startsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const publicPage = await create("pages", {
    slug: "evil",
    title: evil("page"),
    description: evil("description"),
    components: [{ monitorId: site }, { monitorId: port, name: evil("component"), group: evil("group") }],
  });
  const { components } = (await api.get(`/api/v1/pages/${publicPage}`)).body.data;
  const incident = await create(`pages/${publicPage}/incidents`, {
    title: evil("incident"),
    impact: "major",
    componentIds: [components[1].id],
    updates: [{ status: "investigating", body: evil("update") }],
  });
  await create("api-keys", { name: evil("key"), role: "viewer" });
  await api.patch("/api/v1/organization", { name: evil("organization") });
  await eventually(async () => {
    const all: { status: string }[] = (await api.get("/api/v1/monitors")).body.data;
    return all.filter(({ status }) => status === "unknown").length === 1;
  }, LONG);
  const deliveries = () => api.get(`/api/v1/alerts/${channel}/deliveries`);
  await eventually(async () => (await deliveries()).body.data[0]?.answer, LONG);

  const [outage] = (await api.get(`/api/v1/outages?monitorId=${site}`)).body.data;
  await api.post(`/api/v1/outages/${outage.id}/acknowledge`, { note: evil("note") });

  const browser = await sharedBrowser();
  await using reader = await browser.reader(server.url);
  await reader.signIn(api.key ?? "");
  const pages: [path: string, shown: string[]][] = [
    ["/", ["HTTP", "TCP", "TLS", "DNS", "SCHEDULED", "url"]],
    [`/monitors/${site}`, ["HTTP", "url", "answer", "maintenance"]],
    [`/monitors/${site}/edit`, ["HTTP", "url", "channel"]],
    [`/monitors/${port}`, ["TCP"]],
    [`/monitors/${cert}`, ["TLS", "subject", "issuer", "name"]],
    [`/monitors/${record}`, ["DNS", "record", "expected"]],
    [`/monitors/${record}/edit`, ["DNS", "expected"]],
    [`/monitors/${alias}`, ["DNS", "alias"]],
    [`/monitors/${job}`, ["SCHEDULED"]],
    [`/monitors/${far}`, ["far", "location", "sight"]],
    [`/monitors/${far}/edit`, ["location"]],
    [`/monitors/${port}/edit`, ["TCP", "channel"]],
    [`/monitors/${far}/edit`, ["TCP"]],
    ["/maintenances", ["maintenance", "message", "HTTP"]],
    [`/maintenances/${maintenance}/edit`, ["maintenance", "message", "HTTP", "channel"]],
    ["/pages", ["page"]],
    ["/pages/new", ["HTTP", "far"]],
    [`/pages/${publicPage}`, ["page", "description", "component", "group", "HTTP", "far"]],
    ["/reports", ["HTTP", "far"]],
    ["/locations", ["location"]],
    ["/monitors/new", ["channel", "location"]],
    ["/outages", ["HTTP", "TCP", "DNS", "note"]],
    [`/outages/${outage.id}`, ["HTTP", "note", "channel", "page"]],
    [`/pages/${publicPage}/incidents`, ["page", "component", "incident", "update"]],
    [`/pages/${publicPage}/incidents/${incident}`, ["page", "component", "incident", "update"]],
    [`/pages/${publicPage}/incidents/${incident}/edit`, ["component", "incident"]],
    ["/settings/audit", ["HTTP", "channel", "key", "location", "organization"]],
    ["/events", ["HTTP", "TCP", "TLS", "DNS", "answer"]],
    ["/channels", ["channel"]],
    [`/channels/${channel}`, ["channel", "webhook", "HTTP"]],
    ["/keys", ["key"]],
    ["/settings", ["organization", "channel"]],
  ];
  for (const [path, shown] of pages) {
    await reader.page.goto(path);
    for (const field of shown) await waitForText(reader, path, evil(field));
    expect({ path, ...(await harm(reader)) }).toEqual({ path, images: 0, ran: false });
  }
  await reader.page.goto(`/channels/${channel}`);
  await reader.page.getByRole("button", { name: "Delete" }).click();
  await reader.page.getByRole("dialog").getByText(evil("channel")).waitFor();
  expect(await harm(reader)).toEqual({ images: 0, ran: false });
  // The first request has no session and gets a 401.
  await reader.leave(/status of 401/);
}, 300_000);

/** Waits for a text in the page or a control. The names in a certificate have some characters escaped. */
async function waitForText({ page }: Reader, path: string, text: string): Promise<void> {
  const found = `((text) => [document.body.textContent, document.title,
      ...[...document.querySelectorAll("input, textarea")].map(({ value }) => value)]
    .some((one) => one.replaceAll("\\\\", "").includes(text)))(${JSON.stringify(text)})`;
  await eventually(() => page.evaluate<boolean>(found), LONG).catch(() => {
    throw new Error(`${text} is not shown at ${path}`);
  });
}

function harm({ page }: Reader): Promise<{ images: number; ran: boolean }> {
  return page.evaluate(
    `({ images: document.querySelectorAll("img, iframe, object, script:not([src])").length, ran: "ran" in window })`,
  );
}

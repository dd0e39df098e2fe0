import type { Client } from "../requests/client.ts";
import { checkIn, createChannel, createMonitor } from "../requests/monitors.ts";
import { createIncident, createPage } from "../requests/pages.ts";
import { OFF_SLUG, ONLY } from "./secret-words.ts";

/** Settings of the server of a seeded instance. Its base URL is not the address of any target. */
export const BASE_URL = "https://up.example.com";
export const HOSTS = { "status.example.com": "shop", "off.example.com": OFF_SLUG };
export const seededFlags = [
  ...["--base-url", BASE_URL],
  ...[
    "--page-hosts",
    Object.entries(HOSTS)
      .map((pair) => pair.join("="))
      .join(),
  ],
];

interface Page {
  id: string;
  components: { id: string; monitorId: string }[];
}

export interface Seeded {
  shop: Page;
  /** The monitors that are on no page, or on the page that is off. */
  hidden: string[];
  /** The monitor of the first component, which is down. */
  broken: string;
}

/**
 * Fills an instance with private data in every field that has some, and with two public pages and one that is off. Of the
 * monitors, all but one are in trouble, each for another reason.
 *
 * @param target a URL that answers 503
 */
export async function seedInstance(client: Client, target: string): Promise<Seeded> {
  await client.patch("/api/v1/organization", { name: "zqorganizationzq" });
  await client.post("/api/v1/api-keys", { name: "zqkeyzq", role: "viewer" });
  await client.post("/api/v1/locations", { name: "zqlocationzq" });
  const { id: channel } = await createChannel(client, {
    name: "zqchannelzq",
    config: { url: "http://127.0.0.1:1/zqhookzq", secret: "zqhooksecretzq" },
  });
  const shared = { alertChannelIds: [channel], tags: ["zqtagzq"] };
  const create = async (type: Parameters<typeof createMonitor>[1], name: string, config?: object) =>
    (await createMonitor(client, type, { ...shared, name, ...(config && { config }) })).id as string;

  const broken = await create("HTTP", "zqreplacedzq", httpConfig(target));
  const others = [
    await create("TCP", "Mail", {
      host: "127.0.0.1",
      port: 1,
      interval: 86_400,
      send: "zqsendzq",
      contains: "zqtextzq",
    }),
    await create("TLS", "Certificate", {
      host: "127.0.0.1",
      port: 1,
      servername: "zqservernamezq.example",
      interval: 86_400,
    }),
    await create("DNS", "Name", {
      hostname: "zqhostnamezq.example",
      recordType: "TXT",
      expected: ["zqrecordzq"],
      interval: 86_400,
    }),
    await create("SCHEDULED", "Nightly job"),
    await create("HTTP", "Healthy", { url: `${target}healthy`, interval: 86_400 }),
  ];
  const [, , , job = ""] = others;
  await checkIn(client, job, "fail", "ok", "fail");
  const hidden = [
    await create("HTTP", "zqhiddenzq", {
      url: `${target}zqhiddenpathzq`,
      interval: 86_400,
      expect: { status: [201] },
    }),
    await create("SCHEDULED", "zqhiddenjobzq"),
  ];
  await checkIn(client, hidden[1] ?? "", "fail");

  const shop = await publishPage(client, {
    slug: "shop",
    title: `Shop ${ONLY.shop}`,
    description: "The shop & its <parts>",
    components: [
      { monitorId: broken, name: `Checkout ${ONLY.shop}`, group: "Website" },
      ...others.map((monitorId) => ({ monitorId, group: "Behind it" })),
    ],
  });
  const partners = await publishPage(client, {
    slug: "partners",
    title: `Partners ${ONLY.partners}`,
    components: [{ monitorId: hidden[0], name: `Gateway ${ONLY.partners}` }],
    showLatency: true,
  });
  const off = await publishPage(client, {
    slug: OFF_SLUG,
    title: "zqofftitlezq",
    visibility: "off",
    components: [{ monitorId: hidden[1], name: "zqoffcomponentzq", group: "zqoffgroupzq" }],
  });
  await writeIncident(client, shop, { title: `Slow ${ONLY.shop}`, impact: "minor" });
  await writeIncident(client, partners, { title: `Gone ${ONLY.partners}`, impact: "critical" });
  await writeIncident(client, off, { title: "zqoffincidentzq", impact: "major" });
  await planMaintenances(client, broken, hidden[1] ?? "");
  return { shop, hidden, broken };
}

/** A target with all that may be a secret in it, and an expectation that fails. */
function httpConfig(target: string) {
  return {
    url: `${target}zqpathzq?token=zqtokenzq`,
    interval: 86_400,
    method: "POST",
    headers: { "X-zqheadernamezq": "zqheadervaluezq" },
    basicAuth: { user: "zquserzq", password: "zqpasswordzq" },
    body: "zqbodyzq",
    expect: { status: [200], contains: "zqexpectedzq" },
  };
}

function publishPage(client: Client, page: object): Promise<Page> {
  return createPage(client, { visibility: "public", minOutage: 0, ...page });
}

async function writeIncident(
  client: Client,
  { id, components }: Page,
  incident: { title: string; impact: string },
): Promise<void> {
  await createIncident(client, id, {
    ...incident,
    componentIds: components.slice(0, 1).map((component) => component.id),
    updates: [{ status: "investigating", body: `${incident.title}: *we look* <b>into</b> it` }],
  });
}

/** One that the shop shows, and one of a monitor that no public page shows. */
async function planMaintenances(client: Client, shown: string, hidden: string): Promise<void> {
  const [startsAt, endsAt] = [60, 120].map((minutes) =>
    new Date(Date.now() + minutes * 60_000).toISOString(),
  );
  const times = { startsAt, endsAt };
  const titles = [
    { title: `Upgrade ${ONLY.shop}`, message: "New disks", selector: { monitorIds: [shown] }, ...times },
    { title: "zqwindowzq", message: "zqmessagezq", selector: { monitorIds: [hidden] }, ...times },
  ];
  for (const maintenance of titles) {
    const { status, body } = await client.post("/api/v1/maintenances", maintenance);
    if (status !== 201) throw new Error(`no maintenance: ${status} ${JSON.stringify(body)}`);
  }
}

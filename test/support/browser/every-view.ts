import { lastWholePeriod, type ReportKind } from "../../../src/domain/reports/report-mail.ts";
import { createChannel } from "../requests/monitors.ts";
import { createIncident, createPage } from "../requests/pages.ts";
import { createLocation } from "../requests/probe-client.ts";
import type { ServedPage } from "./served-page.ts";

/** The paths of views with one thing of each kind, with long names and names from right to left. */
export async function everyView(served: ServedPage) {
  const { api } = served;
  const target = { host: "127.0.0.1", port: 1, interval: 3600 };
  const long = "A component with a name that is longer than one line of a phone";
  const monitor = await served.monitor("TCP", target);
  const job = await served.monitor("SCHEDULED", {}, { tags: ["web"] });
  await fetch(`${job.checkinUrl}?status=fail`);
  const [outage] = (await api.get(`/api/v1/outages?monitorId=${job.id}`)).body.data;
  await api.post(`/api/v1/outages/${outage.id}/acknowledge`, { note: "seen" });
  const site = await served.monitor("HTTP", {
    url: "http://127.0.0.1:1/",
    interval: 3600,
    headers: { "X-Key": "secret" },
    expect: { status: ["2xx", 304], json: { "$.a": 1 } },
  });
  await api.patch(`/api/v1/monitors/${site.id}`, { name: "changed" });
  const location = await createLocation(api, "elsewhere");
  await location.probe.work();
  const locations = ["here", location.id];
  const far = await served.monitor("TCP", target, { locations, dependsOn: [monitor.id], tags: ["far"] });
  await location.probe.observe({ monitorId: far.id });
  const channel = await createChannel(api);
  const maintenance = await api.post("/api/v1/maintenances", {
    title: "Upgrade",
    selector: { monitorIds: [site.id] },
    startsAt: new Date(Date.now() - 3_600_000).toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const shown = await createPage(api, {
    ...{ title: "In public", visibility: "public", minOutage: 0 },
    components: [
      { monitorId: monitor.id, name: long },
      { monitorId: job.id, name: "דוגמה", group: "קבוצה" },
    ],
  });
  const { id } = await createIncident(api, shown.id, {
    title: "A title that is as long as a title can be if people write sentences into it, which they do",
    componentIds: [shown.components[0].id],
    updates: [
      { status: "investigating", body: "**Cards** fail.\n\n- one\n- two" },
      { status: "resolved", body: "All payments work again." },
    ],
  });
  const incidents = `/pages/${shown.id}/incidents`;
  const person = await api.post("/api/v1/people", {
    email: `${crypto.randomUUID()}@example.com`,
    role: "viewer",
  });
  const layer = { personIds: [person.body.data.id], every: "day", startsAt: "2026-01-05T09:00:00Z" };
  await api.patch(`/api/v1/people/${person.body.data.id}`, { alertChannelIds: [channel.id] });
  const schedule = await api.post("/api/v1/schedules", { name: long, layers: [layer, layer] });
  await api.post("/api/v1/schedules", { name: "תורנות", timezone: "Asia/Jerusalem", layers: [layer] });
  const report = (title: string, values: object = {}) =>
    api.post("/api/v1/reports/mails", {
      ...{ title, kind: "day", selector: { all: true }, to: ["ops@example.com", "ada@example.com"] },
      ...values,
    });
  const { body: daily } = await report(`${long} that has too many words`);
  const { body: weekly } = await report("דוח שבועי", { kind: "week", language: "he" });
  const firstDay = (kind: ReportKind) => lastWholePeriod({ kind, timezone: "UTC" }, Date.now()).first;
  const wall = await api.post("/api/v1/wall-links", { name: "Entrance" });
  return {
    main: ["/", `/monitors/${far.id}`, `/monitors/${site.id}/edit`, `/outages/${outage.id}`, "/channels"],
    others: [
      ...["/?tag=web", `/monitors/${monitor.id}`, `/monitors/${job.id}`, `/monitors/${far.id}/edit`],
      ...[
        "/discovery",
        "/monitors/new",
        "/monitors/deleted/edit",
        "/channels/new",
        `/channels/${channel.id}`,
      ],
      ...["/locations", "/reports", "/outages", "/events", "/events?show=all", "/maintenances"],
      ...["/maintenances/new", `/maintenances/${maintenance.body.data.id}/edit`, "/pages", "/pages/new"],
      ...[
        `/pages/${shown.id}`,
        incidents,
        `${incidents}/${id}`,
        `${incidents}/${id}/edit`,
        `${incidents}/new`,
      ],
      ...[
        "/keys",
        "/settings",
        "/settings/server",
        "/settings/audit",
        "/settings/people",
        "/profile",
        "/hindsight",
      ],
      ...["/channels/choose", "/wall", "/nothing", "/guide", "/guide/monitors", "/guide/search?q=docker"],
      ...["/on-call", "/on-call/new", `/on-call/edit/${schedule.body.data.id}`],
      ...["/reports/mails", "/reports/mails/new", `/reports/mails/${daily.data.id}/edit`],
      `/reports/mails/${daily.data.id}/${firstDay("day")}`,
      `/reports/mails/${weekly.data.id}/${firstDay("week")}`,
      ...[`/status/${shown.slug}`, `/status/${shown.slug}/history/${new Date().toISOString().slice(0, 7)}`],
    ],
    /** Nobody has to sign in for these. */
    withToken: [person.body.data.inviteUrl, wall.body.data.url].map((url) => new URL(url).pathname),
    incidents,
    monitor: `/monitors/${job.id}`,
    outage: `/outages/${outage.id}`,
    page: `/pages/${shown.id}`,
  };
}

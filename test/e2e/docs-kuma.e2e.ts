import { test } from "bun:test";
import { join } from "node:path";
import { readPage } from "../support/documentation/page.ts";
import { Reader } from "../support/documentation/reader.ts";
import { createKumaDatabase, fillKumaTable } from "../support/store/kuma-database.ts";

const NTFY = { type: "ntfy", ntfyAuthenticationMethod: "accessToken", ntfyaccesstoken: "tk_1" };

test("docs/from-uptime-kuma.md does what it says, with a database that Uptime Kuma has open", async () => {
  await using reader = new Reader();
  const kuma = createKumaDatabase(join(reader.folder, "kuma.db"));
  fillKumaTable(kuma, "notification", [
    {
      name: "Ops",
      config: JSON.stringify({
        ...NTFY,
        ntfyserverurl: reader.here("http://127.0.0.1:7070"),
        ntfytopic: "ops",
      }),
    },
  ]);
  const healthz = reader.here("http://127.0.0.1:7070/healthz");
  fillKumaTable(kuma, "monitor", [
    { name: "Web", type: "group" },
    {
      name: "Shop",
      type: "http",
      url: healthz,
      interval: 60,
      maxretries: 1,
      parent: 1,
      expiry_notification: 0,
    },
    { name: "Web container", type: "docker" },
    {
      name: "Nightly backup",
      type: "push",
      interval: 86_400,
      push_token: "aB3dE5gH9jK1mN5pQ7rS9tU1vW3xY5z7",
    },
  ]);
  fillKumaTable(kuma, "monitor_notification", [{ monitor_id: 2, notification_id: 1 }]);
  const yesterday = Math.floor(Date.now() / 86_400_000 - 1) * 86_400;
  fillKumaTable(kuma, "stat_daily", [
    { monitor_id: 2, timestamp: yesterday, up: 1430, down: 10, ping: 12.3 },
  ]);
  await reader.follow(await readPage("docs/from-uptime-kuma.md"));
  kuma.close();
}, 300_000);

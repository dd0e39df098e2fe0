import { expect, test } from "bun:test";
import { planDependencies, suggestDependency } from "../../../src/dashboard/web/outages/causes/depend-on.ts";
import type { FactKind } from "../../../src/domain/causes/causes.ts";

const site = { id: "site", name: "site", type: "HTTP", config: {}, dependsOn: ["router"] } as const;
const port = { id: "port", name: "port", type: "TCP", config: { port: 22 }, dependsOn: [] } as const;
const ping = {
  id: "ping",
  name: "ping",
  type: "TCP",
  config: { protocol: "icmp" },
  dependsOn: [],
} as const;
const tls = { id: "tls", name: "tls", type: "TLS", config: {}, dependsOn: [] } as const;
const members = [site, port, ping, tls].map((one) => ({ ...one, dependsOn: [...one.dependsOn] }));

test.each<[FactKind, string]>([
  ["address", "ping"],
  ["host", "ping"],
  ["network", "ping"],
  ["certificate", "tls"],
])("behavior 22.34: of a cause of kind %s, %s is suggested", (kind, id) => {
  expect(suggestDependency(kind, members)?.id as string).toBe(id);
});

test("behavior 22.34: without a ping a TCP monitor is suggested, without both the first", () => {
  expect(suggestDependency("address", [site, port])?.id).toBe("port");
  expect(suggestDependency("address", [site, tls])?.id).toBe("site");
  expect(suggestDependency("address", [])).toBeUndefined();
});

test("behavior 22.34: the others keep their dependencies, and a circle is left out", () => {
  expect(planDependencies("ping", members, new Set(["ping", "port"]))).toEqual({
    changes: [
      { id: "site", name: "site", before: ["router"], after: ["router", "ping"] },
      { id: "tls", name: "tls", before: [], after: ["ping"] },
    ],
    skipped: members.slice(1, 2),
  });
  expect(planDependencies("router", members, new Set()).changes.map(({ id }) => id)).toEqual([
    "port",
    "ping",
    "tls",
  ]);
});

/** Runs a server in a network namespace of its own, whose range of groups that may ping is closed first. Prints the answers. */
import { eventually } from "../eventually.ts";
import { TestServer } from "./server.ts";

const RANGE = "/proc/sys/net/ipv4/ping_group_range";
const config = { host: "127.0.0.1", protocol: "icmp", interval: 1 };
const monitor = { name: "a host", type: "TCP", config };

Bun.spawnSync(["ip", "link", "set", "lo", "up"]);
const closed = await Bun.file(RANGE).text();
await using server = await TestServer.start();
const { client } = server;
const answers: Record<string, unknown> = {};
const note = (name: string, { status, body }: { status: number; body: unknown }) => {
  answers[name] = { status, body };
};
const health = async () => (await client.get("/healthz")).body;

note("create while closed", await client.post("/api/v1/monitors", monitor));
note("probe while closed", await client.post("/api/v1/probe", { type: "TCP", config }));
note("apply while closed", await client.post("/api/v1/apply", { monitors: { host: monitor } }));
answers["health without a monitor"] = await health();

await Bun.write(RANGE, "0 0");
const created = await client.post("/api/v1/monitors", monitor);
note("create while open", created);
note("probe while open", await client.post("/api/v1/probe", { type: "TCP", config }));
const path = `/api/v1/monitors/${created.body.data.id}`;
const status = async () => (await client.get(path)).body.data.status;
await eventually(async () => (await status()) === "up");
answers["health while open"] = await health();

await Bun.write(RANGE, closed);
await eventually(async () => (await health()).ping === "closed");
answers["health while closed"] = await health();
answers["server while closed"] = (await client.get("/api/v1/server")).body.data;
answers["status while closed"] = await status();
answers.outages = (await client.get("/api/v1/outages")).body.data;
note("rename while closed", await client.patch(path, { name: "another" }));
note("change while closed", await client.patch(path, { config: { ...config, count: 1 } }));
note("pause while closed", await client.patch(path, { enabled: false }));
note("resume while closed", await client.patch(path, { enabled: true }));
await eventually(async () => (await health()).ping === undefined);

await Bun.write(Bun.stdout, JSON.stringify(answers));

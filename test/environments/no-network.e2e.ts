import { expect, setDefaultTimeout, test } from "bun:test";
import { builtImage, Container, type RunningContainer } from "../support/environments/container.ts";
import { eventually } from "../support/eventually.ts";
import { isMissing } from "../support/requirements.ts";

setDefaultTimeout(300_000);

const lacksNamespaces = isMissing(["unshare", "setpriv", "ip", "nsenter", "curl"], { root: true });

test.skipIf(lacksNamespaces)(
  "behavior 9.112, 4.18: without a network, a server starts, serves its page, checks what it reaches, and says that it has no DNS",
  async () => {
    await using container = new Container(await builtImage());
    const server = await container.serve({ hasNetwork: false });
    const request = requestFrom(server, container.key);

    expect(JSON.parse(await request("/healthz"))).toMatchObject({ database: "ok" });
    const page = await request("/");
    expect(page).toStartWith("<!doctype html>");
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);

    const create = async (config: object, type = "HTTP") =>
      JSON.parse(await request("/api/v1/monitors", { name: "a", type, config })).data;
    const own = await create({ url: `${server.url}/healthz`, interval: 10 });
    const job = await create({}, "SCHEDULED");
    await request(new URL(job.checkinUrl).pathname, {});
    const statusOf = async (id: string) => JSON.parse(await request(`/api/v1/monitors/${id}`)).data.status;
    await eventually(async () => (await statusOf(own.id)) === "up");
    expect(await statusOf(job.id)).toBe("ok");
    const elsewhere = { type: "HTTP", config: { url: "https://www.example.com/", interval: 60 } };
    const tried = JSON.parse(await request("/api/v1/probe", elsewhere)).data;
    expect(tried.detail.message).toStartWith("none of the DNS servers can be reached");
    expect(await server.end("SIGTERM")).toBe(0);
  },
);

/** Sends requests from inside the network of a container. */
function requestFrom(server: RunningContainer & { url: string }, key: string) {
  return async (path: string, body?: object): Promise<string> => {
    const sent = body && ["--json", JSON.stringify(body)];
    const curl = ["curl", "--silent", "--max-time", "10", "--header", `authorization: Bearer ${key}`];
    const enter = ["nsenter", `--target=${server.pid}`, "--net"];
    return new Response(
      Bun.spawn([...enter, ...curl, ...(sent ?? []), `${server.url}${path}`], { stderr: "ignore" }).stdout,
    ).text();
  };
}

import { mkdirSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { createAuthority } from "./certificates.ts";

/** An object of a list, as the API server has it. */
export interface ApiObject {
  metadata: { name: string; namespace: string; [field: string]: unknown };
  spec?: object;
}

export type Plural = "ingresses" | "httproutes";

const APIS: Record<Plural, { group: string; kind: string }> = {
  ingresses: { group: "networking.k8s.io", kind: "IngressList" },
  httproutes: { group: "gateway.networking.k8s.io", kind: "HTTPRouteList" },
};

export interface ApiServer extends AsyncDisposable {
  /** As a pod has them. */
  account: { directory: string; env: Record<string, string> };
  /** `GET /apis/…`, one for each request. */
  requests: string[];
  /** The token of each request. */
  tokens: string[];
  /** Undefined: the cluster does not know them. */
  objects: Record<Plural, ApiObject[] | undefined>;
  /** The verbs that the account lacks, such as `list ingresses`. */
  refused: Set<string>;
  /** How many of the next lists are answered with 410 after their first page. */
  expiries: number;
  token: string;
  /** Takes requests in place of the server. @returns whether it did */
  instead?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** The versions from which the open watches follow. */
  watches(plural: Plural): string[];
  send(plural: Plural, event: object): void;
  endWatches(): void;
}

/** An API server of Kubernetes with a certificate of its own authority. @param directory for the files of the account */
export async function startApiServer(directory: string): Promise<ApiServer> {
  const authority = await createAuthority([{ CN: ["Authority of the cluster"] }]);
  const certificate = await authority.issue([{ type: "ip", value: "127.0.0.1" }]);
  const watches = new Map<ServerResponse, { plural: Plural; version: string }>();
  const connections = new Set<Socket>();
  const server = createServer(certificate, answer);
  server.on("connection", (connection) => {
    connections.add(connection);
    connection.on("error", () => connection.destroy());
    connection.on("close", () => connections.delete(connection));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { address, port } = server.address() as AddressInfo;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    api.requests.push(`${request.method} ${request.url}`);
    const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
    api.tokens.push(token);
    if (api.instead?.(request, response)) return;
    const { pathname, searchParams } = new URL(request.url ?? "", "https://localhost");
    const plural = pathname.split("/").at(-1) as Plural;
    const verb = searchParams.has("watch") ? "watch" : "list";
    if (token !== api.token) return void refuse(response, 401, "Unauthorized");
    if (api.refused.has(`${verb} ${plural}`)) return void refuse(response, 403, forbidden(verb, plural));
    if (pathname !== `/apis/${APIS[plural]?.group}/v1/${plural}` || !api.objects[plural])
      return void response.writeHead(404).end("404 page not found\n");
    if (verb === "watch") return void follow(plural, searchParams, response);
    list(plural, searchParams, response);
  }

  function list(plural: Plural, query: URLSearchParams, response: ServerResponse): void {
    const objects = api.objects[plural] ?? [];
    const from = Number(query.get("continue") ?? 0);
    if (from > 0 && api.expiries > 0) {
      api.expiries -= 1;
      return void refuse(response, 410, "The provided continue parameter is too old", "Expired");
    }
    const to = from + Number(query.get("limit") ?? objects.length);
    const { group, kind } = APIS[plural];
    const rest = { continue: String(to), remainingItemCount: objects.length - to };
    const metadata = { resourceVersion: "1000", ...(to < objects.length && rest) };
    const body = { kind, apiVersion: `${group}/v1`, metadata, items: objects.slice(from, to) };
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  }

  function follow(plural: Plural, query: URLSearchParams, response: ServerResponse): void {
    watches.set(response, { plural, version: query.get("resourceVersion") ?? "" });
    response.on("close", () => watches.delete(response));
    response.setHeader("content-type", "application/json").flushHeaders();
  }

  const api: ApiServer = {
    account: {
      directory,
      env: { KUBERNETES_SERVICE_HOST: address, KUBERNETES_SERVICE_PORT: String(port) },
    },
    ...{
      requests: [],
      tokens: [],
      objects: { ingresses: [], httproutes: [] },
      refused: new Set(),
      expiries: 0,
    },
    token: "first-token",
    watches: (plural) =>
      [...watches.values()].filter((one) => one.plural === plural).map(({ version }) => version),
    send(plural, event) {
      for (const [response, one] of watches)
        if (one.plural === plural) response.write(`${JSON.stringify(event)}\n`);
    },
    endWatches() {
      for (const response of watches.keys()) response.end();
    },
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  writeAccount(directory, { token: api.token, ca: authority.cert });
  return api;
}

/** The files that a pod has of its account. */
export function writeAccount(directory: string, { token, ca }: { token?: string; ca?: string }): void {
  mkdirSync(directory, { recursive: true });
  if (token !== undefined) writeFileSync(join(directory, "token"), `${token}\n`);
  if (ca !== undefined) writeFileSync(join(directory, "ca.crt"), ca);
}

function forbidden(verb: string, plural: Plural): string {
  const user = "system:serviceaccount:monitoring:stillup";
  const { group } = APIS[plural];
  return `${plural}.${group} is forbidden: User "${user}" cannot ${verb} resource "${plural}" in API group "${group}" at the cluster scope`;
}

function refuse(response: ServerResponse, code: number, message: string, reason = "Forbidden"): void {
  response
    .writeHead(code, { "content-type": "application/json" })
    .end(JSON.stringify(statusOf(code, message, reason)));
}

/** The object with which the API server says what is wrong. */
export function statusOf(code: number, message: string, reason: string): object {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code };
}

/** An Ingress as the API server has it. */
export function ingress(
  name: string,
  hosts: string[],
  { tls = [], annotations = {} }: { tls?: string[]; annotations?: Record<string, string> } = {},
): ApiObject {
  const backend = { service: { name, port: { number: 80 } } };
  const http = { paths: [{ path: "/", pathType: "Prefix", backend }] };
  return {
    metadata: {
      ...{ name, namespace: "shop", uid: crypto.randomUUID(), resourceVersion: "998", generation: 1 },
      ...{ creationTimestamp: "2026-11-01T10:00:00Z", annotations },
      managedFields: [{ manager: "kubectl", operation: "Update", apiVersion: "networking.k8s.io/v1" }],
    },
    spec: {
      ingressClassName: "nginx",
      ...(tls.length > 0 && { tls: [{ hosts: tls, secretName: `${name}-tls` }] }),
      rules: hosts.map((host) => ({ ...(host !== "" && { host }), http })),
    },
  };
}

/** An HTTPRoute as the API server has it. */
export function httpRoute(
  name: string,
  hostnames: string[] | undefined,
  annotations: Record<string, string> = {},
): ApiObject {
  return {
    metadata: {
      ...{ name, namespace: "shop", uid: crypto.randomUUID(), resourceVersion: "999", generation: 1 },
      ...{ creationTimestamp: "2026-11-01T10:00:00Z", annotations },
    },
    spec: {
      parentRefs: [{ group: "gateway.networking.k8s.io", kind: "Gateway", name: "public" }],
      ...(hostnames && { hostnames }),
      rules: [{ backendRefs: [{ group: "", kind: "Service", name, port: 80, weight: 1 }] }],
    },
  };
}

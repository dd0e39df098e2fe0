import { join } from "node:path";
import { isObject } from "../domain/canonical-json.ts";
import { type EntryFault, type Source, SourceFault } from "../domain/discovery/found.ts";
import { assertFew } from "../domain/discovery/reading.ts";
import { parseRoute, type Route, type RouteKind, readRoutes } from "../domain/discovery/routes.ts";
import { BOUNDS, type Bounds, beginRead, get, jsonOf, type Read, readText } from "./bounded-answer.ts";
import { follow, objectsIn, type Pauses, untilAborted } from "./follow.ts";

/** Where a pod finds its API server and its account. */
export interface PodAccount {
  directory: string;
  env: Record<string, string | undefined>;
}

export const THIS_POD: PodAccount = {
  directory: "/var/run/secrets/kubernetes.io/serviceaccount",
  env: process.env,
};

/** @property name as in rules of RBAC @property isOptional whether a cluster may not know it */
interface Resource {
  kind: RouteKind;
  name: string;
  path: string;
  isOptional: boolean;
}

const RESOURCES: readonly Resource[] = [
  {
    kind: "Ingress",
    name: "ingresses.networking.k8s.io",
    path: "/apis/networking.k8s.io/v1/ingresses",
    isOptional: false,
  },
  {
    kind: "HTTPRoute",
    name: "httproutes.gateway.networking.k8s.io",
    path: "/apis/gateway.networking.k8s.io/v1/httproutes",
    isOptional: true,
  },
];

interface Options {
  account: PodAccount;
  bounds: Bounds;
  pauses: Pauses;
}

/** The hosts of a cluster, by the account of the pod (behavior 28.45). */
export function createKubernetesSource({ account, bounds, pauses }: Options): Source {
  const resources = RESOURCES.map((resource) => ({ resource, state: createState() }));
  return {
    name: "kubernetes",
    async read(signal) {
      const read = beginRead(signal, bounds);
      const lists = await Promise.allSettled(
        resources.map(({ resource, state }) => list(resource, state, { account, read })),
      );
      const routes = allOf(lists).flat();
      const { found, faults } = readRoutes(routes);
      return { found, faults: [...faults, ...resources.flatMap(({ state }) => state.watchFault() ?? [])] };
    },
    watch(onChange) {
      const watches = resources.map(({ resource, state }) =>
        follow((signal) => watch(resource, state, { account, signal, onChange }), pauses),
      );
      return {
        stop() {
          for (const one of watches) one.stop();
        },
      };
    },
  };
}

/** @throws SourceFault with all faults: a right that is missing is rarely the only one */
function allOf<T>(settled: readonly PromiseSettledResult<T>[]): T[] {
  const failed = settled.filter((one) => one.status === "rejected").map(({ reason }) => reason);
  const other = failed.find((reason) => !(reason instanceof SourceFault));
  if (other) throw other;
  const messages = new Set(failed.map(({ message }: SourceFault) => message));
  if (messages.size > 0) throw new SourceFault([...messages].join("; "));
  return settled.map((one) => (one as PromiseFulfilledResult<T>).value);
}

/** The state of a resource, which its reads and its watch share. */
interface State {
  /** The version of the last list or event, once there is one. */
  version(signal: AbortSignal): Promise<string>;
  setVersion(version: string | undefined): void;
  watchFault(): EntryFault | undefined;
  setWatchFault(message: string | undefined): void;
}

function createState(): State {
  let version: string | undefined;
  let fault: EntryFault | undefined;
  let listed = Promise.withResolvers<void>();
  return {
    async version(signal) {
      while (version === undefined) {
        await untilAborted(listed.promise, signal);
        signal.throwIfAborted();
      }
      return version;
    },
    setVersion(next) {
      version = next;
      if (next === undefined) return;
      listed.resolve();
      listed = Promise.withResolvers();
    },
    watchFault: () => fault,
    setWatchFault(message) {
      fault = message === undefined ? undefined : { message };
    },
  };
}

/** Objects in one page of a list. */
const PAGE = 250;

async function list(
  resource: Resource,
  state: State,
  { account, read }: { account: PodAccount; read: Read },
): Promise<Route[]> {
  for (let isAgain = false; ; isAgain = true) {
    const routes = await listOnce(resource, state, { account, read });
    if (routes) return routes;
    // The server has forgotten the version that the first pages are of.
    if (isAgain)
      throw new SourceFault(`the list of ${resource.name} has expired twice while it was read (410)`);
  }
}

/** @returns undefined if the list has expired meanwhile */
async function listOnce(
  resource: Resource,
  state: State,
  { account, read }: { account: PodAccount; read: Read },
): Promise<Route[] | undefined> {
  const routes: Route[] = [];
  let next: string | undefined;
  do {
    const query = new URLSearchParams({ limit: String(PAGE), ...(next !== undefined && { continue: next }) });
    const { url, init } = await request(account, `${resource.path}?${query}`, read);
    const answer = await get(url, read, init);
    if (answer.status === 410) return undefined;
    if (answer.status === 404 && resource.isOptional) return [];
    if (answer.status !== 200) throw new SourceFault(refusal("list", resource, answer.status));
    const page = parsePage(resource, jsonOf(answer));
    routes.push(...page.routes);
    assertFew(routes.length, resource.name);
    state.setVersion(page.version);
    next = page.next;
  } while (next !== undefined);
  return routes;
}

function parsePage({ kind, name }: Resource, value: unknown) {
  const { metadata, items } = isObject(value) ? value : {};
  if (!isObject(metadata) || !(Array.isArray(items) || items === null))
    throw new SourceFault(`the answer is no list of ${name}`);
  const { resourceVersion, continue: next } = metadata;
  return {
    routes: (items ?? []).map((item) => parseRoute(kind, item)),
    version: typeof resourceVersion === "string" ? resourceVersion : undefined,
    next: typeof next === "string" && next !== "" ? next : undefined,
  };
}

function refusal(verb: string, { name }: Resource, status: number): string {
  if (status === 403)
    return `the service account may not ${verb} ${name} (403): its role needs the verb ${verb} on this resource`;
  if (status === 401) return "the API server does not accept the token of the service account (401)";
  return `the API server answered the ${verb} of ${name} with ${status}`;
}

/** A request with the token as it is now, because it changes. @throws SourceFault outside of a pod */
async function request(
  { directory, env }: PodAccount,
  path: string,
  read: Read,
): Promise<{ url: string; init: BunFetchRequestInit }> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = "443" } = env;
  if (!host)
    throw new SourceFault("KUBERNETES_SERVICE_HOST is not set: stillup must run in a pod of the cluster");
  const [token, ca] = await Promise.all([
    readText(join(directory, "token"), read),
    readText(join(directory, "ca.crt"), read),
  ]);
  const headers = { authorization: `Bearer ${token.trim()}`, accept: "application/json" };
  const url = `https://${host.includes(":") ? `[${host}]` : host}:${port}${path}`;
  return { url, init: { headers, tls: { ca } } };
}

/** Seconds after which the server ends a watch, which begins again. */
const WATCH_SECONDS = 300;

/**
 * Follows the changes after the last version (behavior 28.48). A version that the server has forgotten is found again by a read.
 */
async function watch(
  resource: Resource,
  state: State,
  { account, signal, onChange }: { account: PodAccount; signal: AbortSignal; onChange: () => void },
): Promise<void> {
  const version = await state.version(signal);
  const query = new URLSearchParams({
    ...{ watch: "1", allowWatchBookmarks: "true", resourceVersion: version },
    timeoutSeconds: String(WATCH_SECONDS),
  });
  // A server that disappears does not end its streams.
  const until = AbortSignal.any([signal, AbortSignal.timeout((WATCH_SECONDS + 30) * 1000)]);
  const { url, init } = await request(account, `${resource.path}?${query}`, {
    signal: until,
    bounds: BOUNDS,
  });
  const response = await fetch(url, {
    ...init,
    signal: until,
    redirect: "manual",
    keepalive: false,
    timeout: false,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    onRefusal(response.status);
    throw new Error(refusal("watch", resource, response.status));
  }
  state.setWatchFault(undefined);
  for await (const event of objectsIn(response.body)) if (!onEvent(event)) return;

  function onRefusal(status: number): void {
    if (status === 410 || status === 404) state.setVersion(undefined);
    if (status === 410) onChange();
    else if (status !== 404)
      state.setWatchFault(`${refusal("watch", resource, status)}; until then, changes are found every 30 s`);
  }

  /** @returns whether the stream goes on */
  function onEvent(event: unknown): boolean {
    const { type, object } = isObject(event) ? event : {};
    const next = isObject(object) && isObject(object.metadata) ? object.metadata.resourceVersion : undefined;
    const isEvent = type === "BOOKMARK" || type === "ADDED" || type === "MODIFIED" || type === "DELETED";
    state.setVersion(isEvent && typeof next === "string" ? next : undefined);
    if (type !== "BOOKMARK") onChange();
    return isEvent;
  }
}

import { isObject } from "../domain/canonical-json.ts";
import { portsOfBindings, readContainers, withoutPorts, withPorts } from "../domain/discovery/containers.ts";
import { type Reading, type Source, SourceFault } from "../domain/discovery/found.ts";
import type { DiscoverSettings } from "../domain/discovery/settings.ts";
import { type Bounds, beginRead, get, jsonOf, type Read } from "./bounded-answer.ts";
import { follow, objectsIn, type Pauses } from "./follow.ts";

/** @property own the host name of this process, which in a container is the begin of its ID */
interface Options {
  own: string;
  bounds: Bounds;
  pauses: Pauses;
}

/**
 * The containers of a Docker engine, or of one with its API such as Podman, by its socket (behavior 28.36). Paths without a version
 * are known to engines of all versions.
 */
export function createDockerSource(
  { socket, host = "127.0.0.1" }: NonNullable<DiscoverSettings["docker"]>,
  { own, bounds, pauses }: Options,
): Source {
  /** By ID of the container, which always publishes the same ports. */
  const known = new Map<string, object[]>();

  async function inspect(ids: readonly string[], read: Read): Promise<void> {
    for (const id of known.keys()) if (!ids.includes(id)) known.delete(id);
    for (const id of ids) {
      const ports = known.get(id) ?? (await inspectPorts(socket, id, read));
      if (ports) known.set(id, ports);
    }
  }

  return {
    name: "docker",
    async read(signal): Promise<Reading> {
      const read = beginRead(signal, bounds);
      const answer = await list(socket, read);
      await inspect(withoutPorts(answer), read);
      return readContainers(withPorts(answer, known), { host, own });
    },
    watch(onChange) {
      let isFirst = true;
      return follow((signal) => {
        // Changes before a stream are not in it.
        const onOpen = isFirst ? () => {} : onChange;
        isFirst = false;
        return followEvents(socket, { signal, onOpen, onChange });
      }, pauses);
    },
  };
}

async function list(socket: string, read: Read): Promise<unknown> {
  try {
    const answer = await get("http://localhost/containers/json?all=1", read, { unix: socket });
    if (answer.status !== 200)
      throw new SourceFault(`it answered the list of containers with ${answer.status}`);
    return jsonOf(answer);
  } catch (error) {
    throw error instanceof SourceFault ? new SourceFault(`${socket}: ${error.message}`) : error;
  }
}

/** @returns undefined if the engine does not say, for example because the container is gone meanwhile */
async function inspectPorts(socket: string, id: string, read: Read): Promise<object[] | undefined> {
  const url = `http://localhost/containers/${encodeURIComponent(id)}/json`;
  try {
    const answer = await get(url, read, { unix: socket });
    return answer.status === 200 ? portsOfBindings(jsonOf(answer)) : undefined;
  } catch (error) {
    if (error instanceof SourceFault && !read.signal.aborted) return undefined;
    throw error;
  }
}

/** The events after which the list of containers is another one. Health checks of containers have many others. */
const EVENTS = [
  ...["create", "start", "restart", "die", "destroy", "remove"],
  ...["pause", "unpause", "rename", "update"],
];
const FILTERS = JSON.stringify({ type: ["container"], event: EVENTS });

/** An engine may refuse events, and a proxy before it may lack them: then it is only read in a rhythm (behavior 28.42). */
async function followEvents(
  socket: string,
  { signal, onOpen, onChange }: { signal: AbortSignal; onOpen: () => void; onChange: () => void },
): Promise<void> {
  const url = `http://localhost/events?filters=${encodeURIComponent(FILTERS)}`;
  const init: BunFetchRequestInit = {
    unix: socket,
    signal,
    redirect: "manual",
    keepalive: false,
    timeout: false,
  };
  const response = await fetch(url, init);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`events are answered with ${response.status}`);
  }
  onOpen();
  for await (const event of objectsIn(response.body)) if (isChange(event)) onChange();
}

/** Also the event of an engine that does not know the filter. @param event with `status` before API 1.22 */
function isChange(event: unknown): boolean {
  if (!isObject(event)) return false;
  const { Type: type = "container", Action: action = event.status } = event;
  return type === "container" && EVENTS.includes(String(action));
}

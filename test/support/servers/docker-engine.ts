import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";

/** Answers that engines gave: of Docker 20.10 and of Podman 4.3 recorded, of Docker 28 by the documentation of its API. */
export type Recorded = "docker-1.41" | "docker-1.51" | "podman-4.3";

export async function recordedContainers(name: Recorded): Promise<Record<string, unknown>[]> {
  return Bun.file(`test/fixtures/discovery/${name}.json`).json();
}

/** An answer about a container that is stopped, and publishes 5432 at 15432 when it runs. */
export async function recordedInspection(): Promise<{ Id: string }> {
  return Bun.file("test/fixtures/discovery/docker-1.41-inspect.json").json();
}

/** The lines of a stream of events. */
export async function recordedEvents(name: Exclude<Recorded, "docker-1.51">): Promise<string[]> {
  const text = await Bun.file(`test/fixtures/discovery/${name}-events.jsonl`).text();
  return text.trim().split("\n");
}

export interface DockerEngine extends AsyncDisposable {
  socket: string;
  /** `GET /containers/json?all=1`, one for each request. */
  requests: string[];
  /** The list of containers that it answers. */
  containers: unknown;
  /** The answers about single containers, by ID. */
  inspected: Record<string, unknown>;
  /** Takes requests in place of the engine. @returns whether it did */
  instead?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** How many streams of events are open. */
  streams(): number;
  /** Sends a part of the stream of events to all who read it. */
  send(text: string): void;
  /** Ends the streams of events. */
  endStreams(): void;
}

/** An engine on a socket in a directory. */
export async function startDockerEngine(directory: string, containers: unknown = []): Promise<DockerEngine> {
  const socket = join(directory, "docker.sock");
  const streams = new Set<ServerResponse>();
  const connections = new Set<Socket>();
  const server = createServer((request, response) => {
    engine.requests.push(`${request.method} ${request.url}`);
    if (engine.instead?.(request, response)) return;
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    response.setHeader("content-type", "application/json");
    if (pathname === "/events") {
      streams.add(response);
      response.on("close", () => streams.delete(response));
      response.flushHeaders();
    } else if (pathname === "/containers/json") {
      const list = engine.containers as { State?: string }[];
      const isAll = searchParams.get("all") === "1" || !Array.isArray(list);
      response.end(JSON.stringify(isAll ? list : list.filter(({ State }) => State === "running")));
    } else if (Object.hasOwn(engine.inspected, pathname.split("/")[2] ?? "")) {
      response.end(JSON.stringify(engine.inspected[pathname.split("/")[2] ?? ""]));
    } else {
      response.statusCode = 404;
      response.end('{"message":"page not found"}\n');
    }
  });
  server.on("connection", (connection) => {
    connections.add(connection);
    connection.on("close", () => connections.delete(connection));
  });
  await new Promise<void>((done, failed) => server.once("error", failed).listen(socket, done));
  const engine: DockerEngine = {
    ...{ socket, requests: [], containers, inspected: {} },
    streams: () => streams.size,
    send: (text) => streams.forEach((stream) => void stream.write(text)),
    endStreams: () => streams.forEach((stream) => void stream.end()),
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  return engine;
}

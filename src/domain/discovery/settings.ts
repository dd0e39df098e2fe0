import { type Static, Type } from "@sinclair/typebox";
import { type Fault, schemaFaults } from "../configuration/history.ts";
import { Host } from "../schemas/format.ts";
import { closed, described, hinted } from "../schemas/schema.ts";
import { DOCKER_SOCKET } from "./flag.ts";

/** Seconds from when something is gone until its monitor is deleted. */
export const DEFAULT_GRACE = 86_400;

const Docker = Type.Object(
  {
    socket: hinted(
      Type.String({
        pattern: "^/[^\\u0000]*$",
        description: "The absolute path of the socket of the engine.",
        examples: [DOCKER_SOCKET],
      }),
      () => `an absolute path, such as ${DOCKER_SOCKET}`,
    ),
    host: Type.Optional(
      described(Host, "The host at which published ports are checked. Default: `127.0.0.1`."),
    ),
  },
  { ...closed, description: "Containers with labels such as `stillup.web.url`." },
);

/** Where a server finds what runs: `discover` in its configuration file, or `--discover`. */
export const DiscoverSettings = Type.Object(
  {
    docker: Type.Optional(Docker),
    kubernetes: Type.Optional(
      Type.Object(
        {},
        { ...closed, description: "Hosts of Ingress and HTTPRoute, by the service account of the pod." },
      ),
    ),
    files: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description: "A pattern for names of files in the format `file_sd` of Prometheus, as YAML or JSON.",
        examples: ["/etc/targets/*.yml"],
      }),
    ),
    http: Type.Optional(
      hinted(
        Type.String({
          pattern: "^[hH][tT][tT][pP][sS]?://[^\\s/?#]",
          maxLength: 2048,
          description: "A URL that answers the format `http_sd` of Prometheus.",
          examples: ["http://targets.example.com/sd"],
        }),
        () => "a full URL that begins with http:// or https://",
      ),
    ),
    grace: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_536_000,
        description: `Seconds from when something is gone until its monitor is deleted; it is paused at once. Default: ${DEFAULT_GRACE}.`,
        examples: [DEFAULT_GRACE],
      }),
    ),
  },
  {
    ...closed,
    description: "Where the server finds what runs: only in the file of `serve --config`.",
  },
);
export type DiscoverSettings = Static<typeof DiscoverSettings>;

/** The sources of settings, in a fixed order. */
export const SOURCE_NAMES = ["docker", "kubernetes", "files", "http"] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/**
 * The faults of settings by themselves. None repeats the URL, which may have a password or a token.
 *
 * @param at the path of the value
 */
export function discoverFaults(value: unknown, at: string): Fault[] {
  const wrong = schemaFaults(DiscoverSettings, value, at);
  if (wrong.length > 0) return wrong.map(({ path, message }) => ({ path, message }));
  const { http } = value as DiscoverSettings;
  const isUrl = http === undefined || URL.canParse(http);
  return isUrl ? [] : [{ path: `${at}.http`, message: "must be a full URL, whose host and port are valid" }];
}

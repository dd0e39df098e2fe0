import { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import viewer from "../../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with {
  type: "file",
};
import { version } from "../../../package.json";
import { type Contents, type JsonSchema, type Naming, parameterSchema, simplify } from "./client-schema.ts";
import { createdDetail, errorResponses } from "./openapi.ts";

const DOCUMENT = "/docs/json";
const VIEWER = "/docs/viewer.js";

const VIEWER_HEADERS = { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" };

/** Everything comes from this server. The page of the viewer needs inline styles and one inline script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Behavior 7.70: the OpenAPI document at `/docs/json`, and a page that shows it at `/docs`. @param basePath of the base URL @param routes all of the API */
export function documentation(basePath: string, routes: () => { hooks: { detail?: object } }[]) {
  const servers = [{ url: basePath || "/" }];
  const scalarCDN = basePath + VIEWER;
  const plugin = swagger({ ...pages, scalarCDN, documentation: { ...document, servers } });
  for (const { handler } of plugin.routes) {
    // The plugin creates the response of the page once.
    if (handler instanceof Response) handler.headers.set("content-security-policy", POLICY);
  }
  let created: Uint8Array | undefined;
  return new Elysia()
    .onBeforeHandle(({ path, set }) => {
      if (path !== DOCUMENT) return;
      if (!created) {
        for (const { hooks } of routes()) hooks.detail = createdDetail(hooks.detail ?? {});
        return;
      }
      set.headers["content-type"] = "application/json;charset=utf-8";
      return created;
    })
    .onAfterHandle(({ path, responseValue }) => {
      if (path !== DOCUMENT || created) return;
      const document = clientDocument(responseValue as object, errorResponses);
      created = new TextEncoder().encode(JSON.stringify(document));
      return document;
    })
    .use(plugin)
    .get(VIEWER, () => new Response(Bun.file(viewer), { headers: VIEWER_HEADERS }), {
      detail: { hide: true },
    });
}

const pages = {
  path: "/docs",
  specPath: DOCUMENT,
  // No requests to other hosts.
  scalarConfig: {
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: "",
    hideClientButton: true,
    // These use services of the vendor of the viewer.
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: "never",
    customCss: "",
  },
  excludeStaticFile: false,
};

const document = {
  // TypeBox uses `const` and `null`, which OpenAPI supports from 3.1 on.
  openapi: "3.1.0",
  info: {
    title: "stillup",
    version,
    description: "Uptime monitoring in one binary: monitors, their results, alert channels and API keys.",
    license: { name: "MIT", identifier: "MIT" },
  },
  security: [{ key: [] }],
  components: {
    securitySchemes: {
      key: { type: "http" as const, scheme: "bearer", description: "An API key, for example `stillup_…`." },
    },
  },
  tags: [
    { name: "Monitors", description: "What is checked, and how often." },
    { name: "Results", description: "The results of checks and check-ins." },
    { name: "Check-ins", description: "The URL that a job calls to report to its SCHEDULED monitor." },
    { name: "Alert channels", description: "Who is notified when the status of a monitor changes." },
    {
      name: "Wall",
      description: "The monitors on a large screen, and the links that show it without a key.",
    },
    { name: "Status", description: "The current status of all monitors, and of stillup itself." },
    { name: "Outages", description: "Times of trouble: acknowledgements, exports and reports." },
    { name: "Maintenances", description: "Windows in which changes of the status are not notified." },
    { name: "On call", description: "Schedules: which person is notified, and when." },
    { name: "Public pages", description: "Pages that show the state of some monitors to everybody." },
    { name: "Incidents", description: "What people write on a public page." },
    { name: "Locations", description: "Places from which monitors are checked, besides this server." },
    { name: "Configuration", description: "What exists in the organization as one document." },
    { name: "API keys", description: "The keys of this API and their roles." },
    { name: "People", description: "Who signs in to the web page, invitations, and the own profile." },
    { name: "Session", description: "The sign-in of the web page." },
    { name: "Organization", description: "The settings of the organization of the key." },
    { name: "Server", description: "What the page shows of the server itself." },
  ],
};

/* The OpenAPI document in the form that generators of clients understand. */

interface Response {
  description: string;
  content?: Contents;
}

interface Operation {
  operationId: string;
  parameters?: { schema: JsonSchema }[];
  requestBody?: { content: Contents };
  responses: Record<string, Response | { $ref: string }>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, object>;
}

/**
 * Gives the schemas of bodies names, so that a generator creates one type of each (behavior 16.181): by the operation, such as
 * `CreateMonitorRequest` and `CreateMonitorResponse`, and by the `title` of a schema in them.
 *
 * @param document what the plugin has collected; it is not changed
 * @param errors the responses that operations share, by name
 * @throws Error if two different schemas have the same title
 */
export function clientDocument(document: object, errors: Record<string, Response>): OpenApiDocument {
  const copy = plain(document) as OpenApiDocument;
  const responses = plain(errors);
  const schemas: Record<string, JsonSchema> = {};
  const nameOf = new Map(Object.entries(responses).map(([name, error]) => [JSON.stringify(error), name]));
  for (const operation of Object.values(copy.paths).flatMap(Object.values<Operation>)) {
    const title = operation.operationId.replace(/^./, (letter) => letter.toUpperCase());
    for (const parameter of operation.parameters ?? []) parameter.schema = parameterSchema(parameter.schema);
    nameContents(operation.requestBody?.content, `${title}Request`, { schemas, isResponse: false });
    for (const [code, response] of Object.entries(operation.responses)) {
      const name = nameOf.get(JSON.stringify(response));
      if (name) operation.responses[code] = { $ref: `#/components/responses/${name}` };
      else if ("content" in response)
        nameContents(response.content, `${title}Response`, { schemas, isResponse: true });
    }
  }
  for (const { content } of Object.values(responses))
    nameContents(content, undefined, { schemas, isResponse: true });
  return { ...copy, components: { ...copy.components, responses, schemas } };
}

/** @param title of a JSON body without a title of its own */
function nameContents(contents: Contents = {}, title: string | undefined, naming: Naming) {
  for (const [type, content] of Object.entries(contents)) {
    const own = type === "application/json" && title !== undefined ? { title } : {};
    content.schema = simplify({ ...own, ...content.schema }, naming);
  }
}

/** A copy without the symbols and the undefined fields of TypeBox. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

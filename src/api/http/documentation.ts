import { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import viewer from "../../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with {
  type: "file",
};
import { version } from "../../../package.json";

const VIEWER = "/docs/viewer.js";

const VIEWER_HEADERS = { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" };

/** Only from this server; the viewer writes styles into its page, and begins with a script in it. */
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

/** The OpenAPI document at `/docs/json` and a page that shows it at `/docs`, all from the binary (decisions 2). */
export function documentation() {
  const plugin = swagger({ ...pages, documentation: document });
  for (const { handler } of plugin.routes) {
    // The page is made once, as an answer.
    if (handler instanceof Response) handler.headers.set("content-security-policy", POLICY);
  }
  return new Elysia()
    .use(plugin)
    .get(VIEWER, () => new Response(Bun.file(viewer), { headers: VIEWER_HEADERS }), {
      detail: { hide: true },
    });
}

const pages = {
  path: "/docs",
  scalarCDN: VIEWER,
  // Nothing from another host, and nothing to one.
  scalarConfig: {
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: "",
    hideClientButton: true,
    // These lead to services of the viewer's maker.
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: "never",
    customCss: "",
  },
  excludeStaticFile: false,
};

const document = {
  // TypeBox writes JSON Schema with `const` and `null`, which OpenAPI knows since 3.1.
  openapi: "3.1.0",
  info: {
    title: "stillup",
    version,
    description: "Uptime monitoring in one binary: monitors, their results, alert channels and API keys.",
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: "/" }],
  security: [{ key: [] }, { session: [] }],
  components: {
    securitySchemes: {
      key: { type: "http" as const, scheme: "bearer", description: "An API key, such as `stillup_…`." },
      session: {
        type: "apiKey" as const,
        in: "cookie",
        name: "stillup_session",
        description:
          "What `POST /api/v1/session` gives the page. Over HTTPS its name is `__Host-stillup_session`.",
      },
    },
  },
  tags: [
    { name: "Monitors", description: "What is checked." },
    { name: "Results", description: "What the checks and checkins saw." },
    { name: "Checkin", description: "How a job reports to its SCHEDULED monitor." },
    { name: "Alert channels", description: "Who is told." },
    { name: "Status", description: "How things stand." },
    { name: "API keys", description: "Who may use this interface." },
    { name: "Session", description: "How the page signs in." },
    { name: "Organization", description: "The settings of the key's organization." },
  ],
};

/** A check as the API of Healthchecks 3 shows it with a read-write key. */
export function exampleCheck(fields: Record<string, unknown> = {}): Record<string, unknown> {
  const uuid = "31365bce-8da9-4729-8ff3-aaa71d56b712";
  return {
    name: "Filesystem Backup",
    slug: "filesystem-backup",
    tags: "backup fs",
    desc: "",
    grace: 600,
    n_pings: 1,
    status: "up",
    started: false,
    last_ping: "2026-11-22T14:02:03+00:00",
    next_ping: "2026-11-22T15:02:03+00:00",
    manual_resume: false,
    methods: "",
    subject: "",
    subject_fail: "",
    start_kw: "",
    success_kw: "",
    failure_kw: "",
    filter_subject: false,
    filter_body: false,
    filter_http_body: false,
    filter_default_fail: false,
    badge_url: "https://hc.example.com/b/2/1b9d0386-d07e-44b0-8995-4a9a372de43c.svg",
    uuid,
    ping_url: `https://hc.example.com/ping/${uuid}`,
    update_url: `https://hc.example.com/api/v3/checks/${uuid}`,
    pause_url: `https://hc.example.com/api/v3/checks/${uuid}/pause`,
    resume_url: `https://hc.example.com/api/v3/checks/${uuid}/resume`,
    channels: "",
    timeout: 3600,
    ...fields,
  };
}

/** Fields that a read-only key does not see. */
const HIDDEN = ["uuid", "ping_url", "update_url", "pause_url", "resume_url", "channels"];

export interface HealthchecksServer extends AsyncDisposable {
  url: string;
  /** A key of 32 characters, which sees everything. */
  key: string;
  readOnlyKey: string;
  /** Answers every request with this, until it is set to undefined. */
  fails?: () => Response;
  paths: string[];
}

/** A server that speaks the API of Healthchecks 3, with its errors. */
export function startHealthchecks(
  project: { checks: Record<string, unknown>[]; channels?: Record<string, unknown>[] },
  port = 0,
): HealthchecksServer {
  const paths: string[] = [];
  const server = Bun.serve({ port, hostname: "127.0.0.1", fetch: (request) => answer(request) });
  const own: HealthchecksServer = {
    url: `http://127.0.0.1:${server.port}`,
    key: "k".repeat(32),
    readOnlyKey: `hcr_${"r".repeat(28)}`,
    paths,
    [Symbol.asyncDispose]: async () => void (await server.stop(true)),
  };
  return own;

  function answer({ url, headers }: Request): Response {
    const { pathname } = new URL(url);
    paths.push(pathname);
    if (own.fails) return own.fails();
    const key = headers.get("X-Api-Key") ?? "";
    if (key.length !== 32) return Response.json({ error: "missing api key" }, { status: 401 });
    const isReadOnly = key === own.readOnlyKey;
    if (pathname === "/api/v3/checks/" && (isReadOnly || key === own.key))
      return Response.json({ checks: isReadOnly ? project.checks.map(withoutHidden) : project.checks });
    if (pathname === "/api/v3/channels/" && key === own.key)
      return Response.json({ channels: project.channels ?? [] });
    if (pathname.startsWith("/api/v3/")) return Response.json({ error: "wrong api key" }, { status: 401 });
    return new Response("<h1>Not Found</h1>", { status: 404, headers: { "Content-Type": "text/html" } });
  }
}

function withoutHidden(check: Record<string, unknown>): Record<string, unknown> {
  const shown = Object.entries(check).filter(([name]) => !HIDDEN.includes(name));
  return { ...Object.fromEntries(shown), unique_key: "a6c7b0a8a66bed0df66abfdab3c77736861703ee" };
}

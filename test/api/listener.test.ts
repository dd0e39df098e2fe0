import { expect, test } from "bun:test";
import { assertCanListen, createListener } from "../../src/api/http/listener.ts";
import { createLogger } from "../../src/log.ts";
import { createMetrics } from "../../src/runner/metrics/metrics.ts";

/** Starts to listen with routes that Bun is given. */
function start(routes: Record<string, () => Response>, hostname = "127.0.0.1"): void {
  const listener = createListener({
    settings: { hostname, port: 0 },
    log: createLogger({ level: "error" }),
    limits: { descriptors: Number.POSITIVE_INFINITY, others: () => 0 },
    metrics: createMetrics(),
  });
  listener.start({
    server: null,
    listen(options) {
      this.server = Bun.serve({ ...options, routes });
    },
  });
}

test("an error of the routes is not reported as one of the address", () => {
  expect(() => start({ "/a/:b/:b": () => new Response() })).toThrow("duplicate route parameter names");
});

test.each(["203.0.113.9", "999.1.1.1", "no such host", "::zz"])(
  "the host %j, which is not an address of this machine, is a wrong setting",
  (hostname) => {
    const error = `--host must be an address of this machine, got ${JSON.stringify(hostname)}`;
    expect(() => assertCanListen({ hostname, port: 0 })).toThrow(error);
  },
);

test.each(["203.0.113.9", "999.1.1.1"])("the host %j is also refused by the server itself", (hostname) => {
  const error = `--host must be an address of this machine, got ${JSON.stringify(hostname)}`;
  expect(() => start({ "/": () => new Response() }, hostname)).toThrow(error);
});

import { expect, test } from "bun:test";
import { configurationSchemaRoutes } from "../../src/api/configuration/configuration-body.ts";
import { configurationSchema } from "../../src/domain/configuration/json-schema.ts";

const routes = configurationSchemaRoutes();

function get(headers: Record<string, string> = {}): Promise<Response> {
  return routes.handle(new Request("http://127.0.0.1/schema/config.json", { headers }));
}

test("behavior 16.75: everybody can read the JSON Schema, and keep it while it is the same", async () => {
  const first = await get();
  expect(first.status).toBe(200);
  expect(first.headers.get("content-type")).toBe("application/schema+json; charset=utf-8");
  expect(first.headers.get("access-control-allow-origin")).toBe("*");
  expect(await first.json()).toEqual(JSON.parse(JSON.stringify(configurationSchema())));
  const again = await get({ "if-none-match": first.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
});

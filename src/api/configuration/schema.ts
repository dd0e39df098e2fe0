import { Elysia } from "elysia";
import { configurationSchema } from "../../domain/configuration/json-schema.ts";
import { type PublicBody, type PublicContext, publicAnswer, publicBody } from "../pages/page-cache.ts";

/** Behavior 16.75: the JSON Schema of configuration files, for editors, which have no key. */
export function configurationSchemaRoutes() {
  let body: PublicBody | undefined;
  return new Elysia({ normalize: false }).get(
    "/schema/config.json",
    ({ request, set }: PublicContext) => {
      body ??= publicBody({
        type: "application/schema+json; charset=utf-8",
        text: JSON.stringify(configurationSchema()),
      });
      return publicAnswer({ request, set }, body);
    },
    { detail: { hide: true } },
  );
}

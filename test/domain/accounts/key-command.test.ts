import { expect, test } from "bun:test";
import { keyCommand } from "../../../src/domain/accounts/api-key.ts";

test.each([
  [[], "stillup keys create --name me"],
  [[{ dataDir: "/var/lib/stillup", isEmbedded: true }], "--data-dir /var/lib/stillup"],
  [[{ dataDir: "/srv/up time's", isEmbedded: true }], String.raw`--data-dir '/srv/up time'\''s'`],
  [[{ dataDir: "/var/lib/stillup", isEmbedded: false }], "--database-url URL"],
  [[{ dataDir: "/d", isEmbedded: true }, "ul4ViFI3"], "--data-dir /d --org ul4ViFI3"],
] as [Parameters<typeof keyCommand>, string][])("the command of %j ends with %s", (given, end) => {
  expect(keyCommand(...given)).toEndWith(end);
});

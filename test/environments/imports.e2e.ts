import { expect, test } from "bun:test";
import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { builtImage, Container } from "../support/environments/container.ts";
import { Client } from "../support/requests/client.ts";
import { isMissing } from "../support/requirements.ts";

/** Files in the form in which each product publishes or exports them, by product. A new file is tested as it is. */
const FIXTURES = "test/fixtures/import";

const files = ["gatus", "healthchecks", "kuma"].flatMap((product) =>
  readdirSync(join(FIXTURES, product)).map((file) => ({ product, file })),
);

test.skipIf(isMissing(["unshare", "setpriv", "ip"], { root: true }))(
  "behavior 9.109: in a container that may write only its volume, each file of another product is imported and applied",
  async () => {
    await using container = new Container(await builtImage());
    const server = await container.serve();
    const client = new Client(server.url, container.key);
    for (const { product, file } of files) {
      copyFileSync(join(FIXTURES, product, file), join(container.volume, file));
      container.own();
      const imported = await container.run(["import", product, `/var/lib/stillup/${file}`]);
      expect({ product, file, ...imported }).toMatchObject({ code: 0 });
      await Bun.write(join(container.volume, "document.yaml"), imported.stdout);
      container.own();
      const applied = await container.run(["apply", "/var/lib/stillup/document.yaml"], {
        env: placeholders(imported.stderr),
      });
      expect({ product, file, ...applied }).toMatchObject({ code: 0 });
    }
    expect((await client.get("/api/v1/monitors")).body.data.length).toBeGreaterThanOrEqual(files.length);
    expect(await server.end("SIGTERM")).toBe(0);
  },
  120_000,
);

/** A value for each variable that an import names. */
function placeholders(printed: string): Record<string, string> {
  const [, names = ""] = /^Set these variables for stillup apply: (.*)$/m.exec(printed) ?? [];
  return Object.fromEntries(
    names
      .split(", ")
      .filter(Boolean)
      .map((name) => [name, "secret"]),
  );
}

import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { builtImage, Container } from "../support/environments/container.ts";
import { placeFile, publishedFiles, valueFor } from "../support/import/published.ts";
import { isLong } from "../support/long.ts";
import { Client } from "../support/requests/client.ts";
import { isMissing } from "../support/requirements.ts";

setDefaultTimeout(300_000);

const files = publishedFiles.filter(
  ({ product }, at) => isLong || publishedFiles.findIndex((one) => one.product === product) === at,
);

/** The variable that the image of stillup sets, for the copy of a database (behavior 9.109). */
const IN_IMAGE = { TMPDIR: "/var/lib/stillup" };

test.skipIf(isMissing(["unshare", "setpriv", "ip"], { root: true }))(
  "behavior 9.109: in a container that may write only its volume, each file of another product is imported and applied",
  async () => {
    await using container = new Container(await builtImage());
    const server = await container.serve();
    const client = new Client(server.url, container.key);
    for (const { product, file } of files) {
      const name = placeFile({ product, file }, container.volume);
      container.own();
      const imported = await container.run(["import", product, `/var/lib/stillup/${name}`], {
        env: IN_IMAGE,
      });
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
);

/** A value for each variable that an import names. */
function placeholders(printed: string): Record<string, string> {
  const lists = printed.matchAll(
    /^(?:Set these variables for stillup apply|note: apply needs these variables of Gatus too): (.*)$/gm,
  );
  const names = [...lists].flatMap(([, list = ""]) => list.split(", "));
  return Object.fromEntries(names.map((name) => [name, valueFor(name)]));
}

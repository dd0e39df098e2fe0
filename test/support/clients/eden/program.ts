/** Uses the client of the package. Arguments: the URL of the server, a key. Prints what it saw as JSON. */
import { createClient } from "stillup/client";

const [, , url = "", key = ""] = process.argv;
const { monitors } = createClient(url, { key }).api.v1;

const created = await monitors.post({
  name: "Shop",
  type: "HTTP",
  config: { url: "https://shop.example.com/", interval: 60 },
});
if (created.error) throw created.error;
const { id, createdAt } = created.data.data;

const listed = await monitors.get({ query: { range: "1d" } });
const updated = await monitors({ id }).patch({ name: "Shop front" });
const refused = await monitors({ id }).patch({ name: "" });
// @ts-expect-error: no monitor has this field
const unknown = await monitors({ id }).patch({ nickname: "Shop" });
const deleted = await monitors({ id }).delete();

process.stdout.write(
  JSON.stringify({
    listed: listed.data?.data.map((one) => one.name),
    // Texts that look like times stay texts.
    time: typeof createdAt,
    updated: updated.data?.data.name,
    refused: [refused.status, refused.error?.value],
    unknown: unknown.status,
    deleted: deleted.data?.data.id === id,
  }),
);

import type { Client } from "../requests/client.ts";
import { readPage } from "./page.ts";

/**
 * The example of a page that a test runs against its server.
 *
 * @param mark the file of the test, as the page names it
 * @throws Error unless the page has exactly one such block
 */
export async function exampleFor(
  { url, key = "" }: Client,
  { path, language, mark }: { path: string; language: string; mark: string },
): Promise<string> {
  const { blocks } = await readPage(path);
  const found = blocks.filter((block) => block.mark === `tested by ${mark}` && block.language === language);
  if (found.length !== 1) throw new Error(`${path} has ${found.length} blocks in ${language} for ${mark}`);
  return (found[0]?.text ?? "").replaceAll("http://127.0.0.1:7070", url).replaceAll("KEY", key);
}

import { oneLine, truncate } from "../domain/truncate.ts";

const LONGEST_NAME = 100;

/**
 * Names a thing of another product in a message, such as `monitor "Shop"` or `monitor "Shop", proxy`.
 *
 * @param name as the other product has it: any text
 */
export function named(kind: string, name: string, part?: string): string {
  const thing = `${kind} ${JSON.stringify(truncate(oneLine(name), LONGEST_NAME))}`;
  return part === undefined ? thing : `${thing}, ${part}`;
}

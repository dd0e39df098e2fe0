import type { Method } from "../../../domain/people/person.ts";
import { texts } from "../languages/texts.ts";

/** How somebody signs in, such as `password, passkey`. */
export function describeMethods(methods: readonly Method[]): string {
  return methods.map((method) => texts.people.method[method]).join(texts.common.comma);
}

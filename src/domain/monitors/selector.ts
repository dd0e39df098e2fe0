import { type Static, Type } from "@sinclair/typebox";
import { closed } from "../schemas/schema.ts";
import { Tags, withoutRepetitions } from "./tags.ts";

/** Which monitors something applies to: those that any part names (behavior 14.31). */
export const Selector = Type.Object(
  {
    monitorIds: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    tags: Type.Optional(Type.Intersect([Tags, Type.Array(Type.String(), { minItems: 1 })])),
    all: Type.Optional(Type.Literal(true)),
  },
  { ...closed, minProperties: 1 },
);
export type Selector = Static<typeof Selector>;

export function isSelected(
  selector: Selector,
  { id, tags }: { id: string; tags: readonly string[] },
): boolean {
  if (selector.all === true) return true;
  if (selector.monitorIds?.includes(id)) return true;
  return selector.tags?.some((tag) => tags.includes(tag)) ?? false;
}

/** The same selector, which names each monitor and each tag once. */
export function withoutRepeatedParts({ monitorIds, tags, ...selector }: Selector): Selector {
  return {
    ...(monitorIds && { monitorIds: [...new Set(monitorIds)] }),
    ...(tags && { tags: withoutRepetitions(tags) }),
    ...selector,
  };
}

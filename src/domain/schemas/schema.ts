import { type Static, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";

/** A string out of a list. */
export function oneOf<const Words extends readonly string[]>(words: Words): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>(Type.Union(words.map((word) => Type.Literal(word))));
}

export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>(Type.Union([schema, Type.Null()]));
}

/** The same schema, with what it means in the place where it stands. */
export function described<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description };
}

/** A query: parameters that are not known are ignored, as clients add some of their own. */
export const open = { additionalProperties: true };

/** An object without other fields: what a request has besides is a mistake, and what an answer has is documented. */
export const closed = { additionalProperties: false };

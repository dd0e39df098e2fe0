import { type Static, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { explain } from "../../domain/schemas/validation.ts";
import { AppError } from "../../errors.ts";

/**
 * The schema of a body that is validated by `createValidator`: Elysia only documents it. The error of its own validation
 * contains the whole body as text, also where nobody reads it.
 */
export function documented<T extends TSchema>(schema: T): TUnsafe<Static<T>> {
  return Type.Unsafe<Static<T>>(Type.Unknown({ ...schema }));
}

/**
 * A validator that stops at the first error, and is compiled at its first use.
 *
 * @returns a function that throws an AppError `invalid`
 */
export function createValidator(schema: TSchema): (value: unknown) => void {
  let compiled: TypeCheck<TSchema> | undefined;
  return (value) => {
    compiled ??= TypeCompiler.Compile(schema);
    if (compiled.Check(value)) return;
    const error = compiled.Errors(value).First();
    throw new AppError("invalid", error ? explain(error) : "the body is not valid");
  };
}

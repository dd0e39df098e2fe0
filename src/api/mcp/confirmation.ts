import { type Static, type TObject, Type } from "@sinclair/typebox";
import { canonicalJson } from "../../domain/canonical-json.ts";
import { invalid } from "../../errors.ts";
import { NOTES, type Tool, type ToolContext } from "./tool.ts";

/**
 * A write before it is made.
 *
 * @property shown what the hash covers: everything that decides whether the write is still wanted
 * @property data what the caller reads of it
 * @property write makes it, and answers what was done
 */
export interface Foreseen {
  shown: unknown;
  data: object;
  write: () => Promise<object>;
}

/** Makes tools that write only with the hash of their dry run (behavior 29.20 to 29.24). */
export interface Confirmation {
  writing<Schema extends TObject>(
    tool: Pick<Tool, "name" | "title" | "description"> & {
      isDestructive: boolean;
      isIdempotent: boolean;
      schema: Schema;
      /** A dry run, which needs the rights of the write. */
      foresee: (given: Static<Schema>, context: ToolContext) => Promise<Foreseen>;
    },
  ): Tool;
}

const Confirm = Type.Optional(
  Type.String({
    description: "The `confirm` that the same call without it has answered. Without it, nothing is written.",
  }),
);

const WRONG =
  "confirm is not the one of this call: the arguments differ, or something has changed since. Nothing was written. Call the tool without " +
  "confirm again, look at what it would do now, and send the confirm that it answers";

export function createConfirmation(): Confirmation {
  const inTurn = createTurnsOfOrganizations();
  return {
    writing({ isDestructive, isIdempotent, foresee, schema, ...tool }) {
      const { name } = tool;
      const tryOrWrite = async (
        { confirm, ...given }: { confirm?: string },
        context: ToolContext,
      ): ReturnType<Tool["call"]> => {
        const { shown, data, write } = await foresee(given as Static<typeof schema>, context);
        const hash = hashOf({ tool: name, given, organizationId: context.organizationId, shown });
        if (confirm === undefined) return { note: NOTES.tried, data, confirm: hash };
        if (confirm !== hash) throw invalid(WRONG);
        return { note: NOTES.written, data: await write() };
      };
      return {
        ...tool,
        schema: { ...(schema as TObject), properties: { ...schema.properties, confirm: Confirm } },
        annotations: {
          readOnlyHint: false,
          destructiveHint: isDestructive,
          idempotentHint: isIdempotent,
          openWorldHint: false,
        },
        // The second of two calls with one confirmation finds what the first has written.
        call: (given: { confirm?: string }, context) =>
          given.confirm === undefined
            ? tryOrWrite(given, context)
            : inTurn(context.organizationId, () => tryOrWrite(given, context)),
      };
    },
  };
}

/** The SHA-256 of a dry run, in hex (behavior 29.20). @param given the arguments without `confirm` */
export function hashOf({
  tool,
  given,
  organizationId: organization,
  shown,
}: {
  tool: string;
  given: object;
  organizationId: string;
  shown: unknown;
}): string {
  const text = canonicalJson({ tool, arguments: given, organization, shown });
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** Runs one piece of work at a time for each organization, in the order of the calls. */
function createTurnsOfOrganizations() {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(organizationId: string, work: () => Promise<Result>): Promise<Result> => {
    const running = (last.get(organizationId) ?? Promise.resolve()).then(work, work);
    last.set(organizationId, running);
    try {
      return await running;
    } finally {
      if (last.get(organizationId) === running) last.delete(organizationId);
    }
  };
}

export const CHANGE_ACTIONS = ["create", "update", "delete"] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

export const OBJECT_KINDS = ["channel", "monitor", "maintenance", "page"] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** What an apply does to one object (behavior 16.30). */
export interface Change {
  action: ChangeAction;
  kind: ObjectKind;
  ref: string;
  /**
   * Of a create, the given fields; of an update, those with another value; of a delete, none. Those of a config one by one:
   * `config.url`.
   */
  fields: string[];
}

/** Which objects with a ref that the document lacks are deleted: none, or some, or all of them whatever their number. */
export const PRUNE_MODES = ["none", "some", "all"] as const;
export type PruneMode = (typeof PRUNE_MODES)[number];

/** @property isDryRun whether nothing is changed */
export interface ApplyOptions {
  prune: PruneMode;
  isDryRun: boolean;
}

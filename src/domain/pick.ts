/** The properties of an object that have some names, in the order of the names. */
export function pick<Source extends object, Name extends keyof Source>(
  source: Source,
  names: readonly Name[],
): Pick<Source, Name> {
  const picked: Partial<Source> = {};
  for (const name of names) picked[name] = source[name];
  return picked as Pick<Source, Name>;
}

/** Like `pick`, but only the properties that are not undefined. */
export function pickGiven<Source extends object, Name extends keyof Source>(
  source: Source,
  names: readonly Name[],
): Given<Pick<Source, Name>> {
  return pick(
    source,
    names.filter((name) => source[name] !== undefined),
  ) as Given<Pick<Source, Name>>;
}

type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** The properties of an object without those that have some names. */
export function omit<Source extends object, Name extends keyof Source>(
  source: Source,
  names: readonly Name[],
): Omit<Source, Name> {
  const kept = { ...source };
  for (const name of names) delete kept[name];
  return kept;
}

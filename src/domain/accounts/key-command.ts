/** Where the data of a server is, as its command line names it. @property isEmbedded whether the database is in `dataDir` */
export interface DataPlace {
  dataDir: string;
  isEmbedded: boolean;
}

/**
 * The command that creates an owner key on the machine of the server.
 *
 * @param place missing for readers who must not know it
 * @param organizationId missing while there is exactly one
 */
export function keyCommand(place?: DataPlace, organizationId?: string): string {
  const options = [
    place && (place.isEmbedded ? `--data-dir ${quoted(place.dataDir)}` : "--database-url URL"),
    organizationId !== undefined && `--org ${quoted(organizationId)}`,
  ];
  return ["stillup keys create --name me", ...options.filter(Boolean)].join(" ");
}

/** One word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

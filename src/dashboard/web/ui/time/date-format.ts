export interface DateFormat {
  format(date: Date | number): string;
}

/** A format in the reader's language and zone, created at its first use: on a phone that takes up to 50 ms. */
export function dateFormat(options: Intl.DateTimeFormatOptions): DateFormat {
  let created: Intl.DateTimeFormat | undefined;
  return {
    format(date) {
      created ??= new Intl.DateTimeFormat(undefined, options);
      return created.format(date);
    },
  };
}

export function formatUtc(at: string): string {
  return `${at.slice(0, 19).replace("T", " ")} UTC`;
}

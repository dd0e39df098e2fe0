/** Whether a password in lower case is one of the most common of at least 12 characters (behavior 19.10). */
export function isCommonPassword(_text: string): boolean {
  return false;
}

/**
 * The section of a changelog for a version: with its number, else the unreleased section.
 *
 * @throws if there is neither
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const titled = (title: string) => sections.find((section) => section.split(/\s/, 1)[0] === title);
  const section = titled(version) ?? titled("Unreleased");
  if (!section) throw new Error(`CHANGELOG.md must have a section "## ${version}" or "## Unreleased"`);
  return `# stillup ${version}\n\n${section.slice(section.indexOf("\n")).trim()}\n`;
}

/** The value of an XPath expression, by libxml2. @param text an XML document */
export async function xpath(text: string, path: string): Promise<string> {
  const command = Bun.spawn(["xmllint", "--nonet", "--xpath", path, "-"], { stdin: new Blob([text]) });
  return (await new Response(command.stdout).text()).trim();
}

/** @returns the faults that libxml2 finds in an XML document, on one line; empty if it is valid @param schema RELAX NG */
export async function faultsOf(text: string, schema: string): Promise<string> {
  const validator = Bun.spawn(["xmllint", "--nonet", "--noout", "--relaxng", schema, "-"], {
    stdin: new Blob([text]),
    stderr: "pipe",
  });
  const faults = await new Response(validator.stderr).text();
  return (await validator.exited) === 0 ? "" : faults.replaceAll("\n", " ");
}

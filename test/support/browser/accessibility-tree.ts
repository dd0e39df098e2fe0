import type { Page } from "playwright-core";

/** A part of a page as assistive technology has it. */
export interface AccessibleNode {
  /** A role of ARIA, such as `heading`, or a role of Chromium, such as `DisclosureTriangle`. */
  role: string;
  name: string;
  description: string;
  /** `true` or `false` for a field, otherwise empty. */
  invalid: string;
}

/** The accessibility tree of a page, in the order of the document. */
export async function accessibilityTree(page: Page): Promise<AccessibleNode[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const text = (value?: { value?: unknown }) => String(value?.value ?? "");
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, description, properties = [] }) => ({
      role: text(role),
      name: text(name),
      description: text(description),
      invalid: text(properties.find((property) => property.name === "invalid")?.value),
    }));
}

/** The names of all parts with a role. */
export function namesOf(tree: AccessibleNode[], role: string): string[] {
  return tree.filter((node) => node.role === role).map(({ name }) => name);
}

/** A block of HCL. @property labels such as the type and the name of a resource */
export interface HclBlock {
  type: string;
  labels: string[];
  attributes: Record<string, unknown>;
}

/**
 * Reads the part of HCL that `docs/terraform.md` uses: blocks with attributes, objects, lists, texts, numbers, `true` and `false`, and
 * `jsonencode`. Other names are references.
 *
 * @param reference value of a name such as `var.key` @throws Error at what it does not know
 * @see https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md
 */
export function readHcl(text: string): (reference: (name: string) => unknown) => HclBlock[] {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[\w.-]+|\n|[{}[\](),=]|#.*/g) ?? [];
  return (reference) => new HclReader(tokens, reference).blocks();
}

class HclReader {
  #at = 0;

  constructor(
    private readonly tokens: string[],
    private readonly reference: (name: string) => unknown,
  ) {}

  blocks(): HclBlock[] {
    const found: HclBlock[] = [];
    while (this.#peek() !== undefined) {
      const type = this.#next();
      const labels: string[] = [];
      while (this.#peek()?.startsWith('"')) labels.push(JSON.parse(this.#next()));
      this.#expect("{");
      found.push({ type, labels, attributes: this.#object() });
    }
    return found;
  }

  /** After the opening brace. A block inside counts as an attribute. */
  #object(): Record<string, unknown> {
    const attributes: Record<string, unknown> = {};
    while (this.#peek() !== "}") {
      const name = this.#next();
      if (this.#peek() === "=") this.#next();
      attributes[name] = this.#value();
      if (this.#peek() === ",") this.#next();
    }
    this.#next();
    return attributes;
  }

  #value(): unknown {
    const token = this.#next();
    if (token === "{") return this.#object();
    if (token === "[") return this.#list();
    if (token.startsWith('"') || /^\d+$|^true$|^false$/.test(token)) return JSON.parse(token);
    if (token === "jsonencode") {
      this.#expect("(");
      const value = this.#value();
      this.#expect(")");
      return sortedJson(value);
    }
    if (/^[a-z_]+\./.test(token)) return this.reference(token);
    throw new Error(`${token} is not HCL that this reader knows`);
  }

  #list(): unknown[] {
    const values: unknown[] = [];
    while (this.#peek() !== "]") {
      values.push(this.#value());
      if (this.#peek() === ",") this.#next();
    }
    this.#next();
    return values;
  }

  #peek(): string | undefined {
    while (/^(\n|#)/.test(this.tokens[this.#at] ?? "")) this.#at++;
    return this.tokens[this.#at];
  }

  #next(): string {
    const token = this.#peek();
    if (token === undefined) throw new Error("the text ends within a block");
    this.#at++;
    return token;
  }

  #expect(wanted: string): void {
    const token = this.#next();
    if (token !== wanted) throw new Error(`expected ${wanted}, got ${token}`);
  }
}

/** JSON with sorted names, as Go writes it. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, one) =>
    one !== null && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

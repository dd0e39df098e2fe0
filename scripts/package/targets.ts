/** The targets of a release, and their names in Bun. */
export const targets = {
  "linux-x64": "bun-linux-x64",
  // For processors without AVX2. Since Bun 1.4, its runtime is the same as the one above.
  "linux-x64-baseline": "bun-linux-x64-baseline",
  "linux-arm64": "bun-linux-arm64",
  "linux-x64-musl": "bun-linux-x64-musl",
  "linux-arm64-musl": "bun-linux-arm64-musl",
} as const satisfies Record<string, Bun.Build.CompileTarget>;

export type Target = keyof typeof targets;

export function isTarget(name: string): name is Target {
  return Object.hasOwn(targets, name);
}

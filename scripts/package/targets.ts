import type { Architecture } from "./image.ts";

/** The targets of a release, and their names in Bun. */
export const targets = {
  "linux-x64": "bun-linux-x64",
  // For processors without AVX2. Since Bun 1.4, its runtime is the same as the one above.
  "linux-x64-baseline": "bun-linux-x64-baseline",
  "linux-arm64": "bun-linux-arm64",
  "linux-x64-musl": "bun-linux-x64-musl",
  "linux-arm64-musl": "bun-linux-arm64-musl",
} as const satisfies Record<string, Bun.Build.CompileTarget>;

/** The names of the architectures of the packages. Targets that need another C library or processor have none. */
export const architectures: Partial<Record<Target, { deb: Architecture; rpm: string }>> = {
  "linux-x64": { deb: "amd64", rpm: "x86_64" },
  "linux-arm64": { deb: "arm64", rpm: "aarch64" },
};

/** The file of a package, as its distribution names it. */
export function packageName(kind: "deb" | "rpm", version: string, architecture: string): string {
  const number = version.replace("-", "~");
  return kind === "deb" ? `stillup_${number}_${architecture}.deb` : `stillup-${number}-1.${architecture}.rpm`;
}

export type Target = keyof typeof targets;

export function isTarget(name: string): name is Target {
  return Object.hasOwn(targets, name);
}

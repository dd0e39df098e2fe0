/** A package that the product contains. */
export interface LockedPackage {
  name: string;
  version: string;
  /** Checksum of its archive: an algorithm, `-` and base64. */
  integrity: string;
  /** Its folder, relative to package.json. */
  folder: string;
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalPeers?: string[];
}

/** Packages by path: the names of the packages that contain it and its own, joined by `/`. */
type Packages = Record<string, [id: string, registry: string, manifest: Manifest, integrity: string]>;

/**
 * All packages that the `dependencies` of package.json need, without those for development; each once, sorted by
 * name and version. Format: version 2 of `bun.lock`.
 */
export function shippedPackages(lockfile: string): LockedPackage[] {
  const { workspaces, packages } = Bun.JSONC.parse(lockfile) as {
    workspaces: Record<string, Manifest>;
    packages: Packages;
  };
  const seen = new Set<string>();
  const found = new Map<string, LockedPackage>();
  const visit = (path: string[]) => {
    const key = path.join("/");
    const [id, , manifest, integrity] = packages[key] ?? [];
    if (seen.has(key) || !id || !manifest || !integrity) return;
    seen.add(key);
    const at = id.lastIndexOf("@");
    const folder = `node_modules/${path.join("/node_modules/")}`;
    found.set(id, { name: id.slice(0, at), version: id.slice(at + 1), integrity, folder });
    for (const name of needs(manifest)) visit(nearest(packages, path, name));
  };
  for (const name of needs(workspaces[""] ?? {})) visit([name]);
  return [...found.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

function needs({
  dependencies,
  optionalDependencies,
  peerDependencies,
  optionalPeers = [],
}: Manifest): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !optionalPeers.includes(name));
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** The package that another one resolves: from its own folder, else from the folder that contains it. */
function nearest(packages: Packages, from: string[], name: string): string[] {
  const candidates = from.map((_, depth) => [...from.slice(0, from.length - depth), name]);
  return candidates.find((path) => path.join("/") in packages) ?? [name];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

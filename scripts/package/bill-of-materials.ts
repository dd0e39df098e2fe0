import { Enums, Models, Serialize, SPDX, Spec } from "@cyclonedx/cyclonedx-library";
import { type LockedPackage, shippedPackages } from "./lock-file.ts";

/**
 * The software bill of materials of a release, as CycloneDX 1.6 in JSON: the runtime and all packages that the
 * product depends on, each with its license and the checksum of its installation.
 *
 * @param time time of the commit, so that two builds give the same bytes
 */
export async function billOfMaterials(time: Date): Promise<string> {
  const { name, version, license, packageManager } = await Bun.file("package.json").json();
  const bom = new Models.Bom();
  bom.metadata.timestamp = time;
  bom.metadata.component = new Models.Component(Enums.ComponentType.Application, name, {
    version,
    licenses: licences(license),
    bomRef: `${name}@${version}`,
  });
  const packages = shippedPackages(await Bun.file("bun.lock").text());
  for (const component of [runtime(packageManager), ...(await Promise.all(packages.map(library)))]) {
    bom.components.add(component);
    bom.metadata.component.dependencies.add(component.bomRef);
  }
  const normalizers = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(normalizers).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/** @param packageManager `bun@version`, the runtime of the executable */
function runtime(packageManager: string): Models.Component {
  const version = packageManager.replace("bun@", "");
  const purl = `pkg:npm/bun@${version}`;
  const licenses = licences("MIT");
  return new Models.Component(Enums.ComponentType.Platform, "bun", { version, purl, bomRef: purl, licenses });
}

async function library({ name, version, integrity, folder }: LockedPackage): Promise<Models.Component> {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const { license } = await Bun.file(`${folder}/package.json`).json();
  return new Models.Component(Enums.ComponentType.Library, name, {
    version,
    purl,
    bomRef: purl,
    licenses: licences(license),
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm["SHA-512"], sha512(integrity)]]),
  });
}

/** @param license field of a package.json: an SPDX identifier, an SPDX expression, or other text */
function licences(license: unknown): Models.LicenseRepository {
  if (typeof license !== "string") return new Models.LicenseRepository();
  if (SPDX.isSupportedSpdxId(license)) return new Models.LicenseRepository([new Models.SpdxLicense(license)]);
  if (/ (AND|OR|WITH) /.test(license))
    return new Models.LicenseRepository([new Models.LicenseExpression(license)]);
  return new Models.LicenseRepository([new Models.NamedLicense(license)]);
}

function sha512(integrity: string): string {
  const [algorithm, digest = ""] = integrity.split("-");
  if (algorithm !== "sha512") throw new Error(`bun.lock must have SHA-512 checksums, got ${integrity}`);
  return Buffer.from(digest, "base64").toString("hex");
}

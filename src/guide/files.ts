/** A file of the guide. @property path below `docs/`, such as `channels/slack.md` or `pictures/form-dark.png` */
export interface GuideFile {
  path: string;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

/** Files at the root of the project that pages of `docs/` link to. */
const AT_ROOT = ["SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"];

/** The pages and pictures of `docs/`. The build replaces this file by one that has them: a server that runs from source reads the folder. */
export async function guideFiles(): Promise<GuideFile[]> {
  const root = new URL("../../", import.meta.url).pathname;
  const paths = [...new Bun.Glob("**/*.{md,png}").scanSync(`${root}docs`)].sort();
  const fileAt = (path: string, file: string) => ({
    path,
    bytes: async () => new Uint8Array(await Bun.file(file).arrayBuffer()),
  });
  return [
    ...paths.map((path) => fileAt(path, `${root}docs/${path}`)),
    ...AT_ROOT.map((path) => fileAt(path, root + path)),
  ];
}

import { afterAll } from "bun:test";

/** Shared by the test files of this process. `bunfig.toml` loads this file, so that it ends after the last of them. */
const shared = new AsyncDisposableStack();

afterAll(() => shared.disposeAsync());

/** Creates something at its first use, and ends it after the last test file of this process. */
export function sharedUntilEnd<Shared extends AsyncDisposable>(create: () => Promise<Shared>) {
  let created: Promise<Shared> | undefined;
  return (): Promise<Shared> => {
    created ??= create().then((one) => shared.use(one));
    return created;
  };
}

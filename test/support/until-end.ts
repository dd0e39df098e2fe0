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

/** A server, or another thing that all tests of a file use. It ends after the last test of the file that calls this. */
export async function untilEndOfFile<Used extends AsyncDisposable | Disposable>(
  creating: Used | Promise<Used>,
): Promise<Used> {
  const used = await creating;
  afterAll(() => (Symbol.asyncDispose in used ? used[Symbol.asyncDispose]() : used[Symbol.dispose]()));
  return used;
}

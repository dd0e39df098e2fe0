import { plugin } from "bun";

/* Preloaded by a process that counts the modules of the MCP SDK that it loads. */

let loaded = 0;

plugin({
  name: "modules of the MCP SDK",
  setup(build) {
    build.onLoad({ filter: /@modelcontextprotocol.*\.js$/ }, async ({ path }) => {
      loaded++;
      return { contents: await Bun.file(path).text(), loader: "js" };
    });
  },
});

Object.assign(globalThis, { loadedOfSdk: () => loaded });

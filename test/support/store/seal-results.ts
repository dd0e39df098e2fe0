/* Packs all results of a data directory, as a server does while it runs. argv: the directory */
import { openEngine } from "../../../src/store/sqlite/driver.ts";
import { createStore } from "../../../src/store/store.ts";
import { packAll } from "./packed.ts";

const store = createStore(openEngine(process.argv[2] ?? ""));
await packAll(store);
await store.close();

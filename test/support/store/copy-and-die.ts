/* Copies a database and kills itself at a step. argv: the settings of both databases as JSON, the step */
import { copyStore } from "../../../src/store/open-store.ts";

const [databases = "", fatal] = process.argv.slice(2);

await copyStore(JSON.parse(databases), ({ step }) => {
  if (step === fatal) process.kill(process.pid, "SIGKILL");
});

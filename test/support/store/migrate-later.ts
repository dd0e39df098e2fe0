/* Opens the database of a data directory as a later version would, with one migration more. argv: the directory */
import { migrations } from "../../../src/store/sqlite/migrate.ts";
import { openDatabase } from "../../../src/store/sqlite/open.ts";

/** Updates each row many times: a test must have the time to kill the process in the middle, on a busy machine too. */
const LATER = `ALTER TABLE hourly_rollups ADD COLUMN later integer; ${"UPDATE hourly_rollups SET later = coalesce(later, 0) + start; ".repeat(24)}`;

openDatabase(process.argv[2] ?? "", [...migrations, LATER]);

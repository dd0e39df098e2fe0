import { expect, test } from "bun:test";
import { Binary } from "../support/product/binary.ts";

test("behavior 18.40 to 18.42: the binary runs a command as it would run alone, and reports its run", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const client = await server.client();
  const monitor = { name: "job", type: "SCHEDULED", config: {} };
  const { id, checkinUrl } = (await client.post("/api/v1/monitors", monitor)).body.data;
  // A job may work in the folder of a program that has a file of variables.
  await Bun.write(`${binary.folder}/.env`, "NODE_ENV=test\nOTHER=x\n");
  const script = 'echo "$MARK$OTHER$NODE_ENV"; echo bad >/dev/stderr; exit 5';
  const ended = await binary.run(["run", "--url", checkinUrl, "--", "sh", "-c", script], { MARK: "here" });
  expect(ended).toEqual({ code: 5, stdout: "here\n", stderr: "bad\n" });
  const { data: runs } = (await client.get(`/api/v1/monitors/${id}/runs`)).body;
  expect(runs).toMatchObject([
    { outcome: "failed", exitCode: 5, outputBytes: 9, durationMs: expect.any(Number) },
  ]);
  const away = await binary.run(["run", "--url", "http://127.0.0.1:1/ping/5ecret-5ecret", "--", "true"]);
  expect(away).toMatchObject({ code: 0, stdout: "" });
  expect(away.stderr).toMatch(
    /^stillup: the end of the run could not be reported to http:\/\/127\.0\.0\.1:1: [^\n]+\n$/,
  );
});

import { SMTPServer } from "smtp-server";

/** A mail server on this machine, without TLS, that takes every mail. @param onMail is called when a mail has arrived */
export async function listenForMail(onMail: () => void): Promise<{ url: string; stop: () => void }> {
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, _, done) {
      stream.on("end", () => {
        onMail();
        done();
      });
      stream.resume();
    },
  });
  server.on("error", () => {});
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = listening.address() as { port: number };
  return { url: `smtp://127.0.0.1:${port}`, stop: () => server.close() };
}

/** A thread that dies at its first message. */
declare const self: Worker;

self.onmessage = () => {
  throw new Error("dies for a test");
};

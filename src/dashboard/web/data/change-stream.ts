/** Milliseconds without a message after which the connection counts as lost. The server sends one every 5 s. */
const SILENCE = 15_000;
/** Milliseconds between two attempts to connect. */
const RETRY = 2000;

/** The kinds of data that have changed on the server. */
export interface Change {
  monitors: boolean;
  channels: boolean;
  results: boolean;
}

interface Listener {
  onChange: (change: Change) => void;
  onConnected: (connected: boolean) => void;
}

/** Server-sent events about changes. Reconnects after an error or silence, and disconnects while the tab is hidden. */
export class ChangeStream {
  #source: EventSource | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #connected = true;

  constructor(private readonly listener: Listener) {}

  /** @returns a function that closes the stream for good */
  start(): () => void {
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#open();
    return () => {
      document.removeEventListener("visibilitychange", this.#onVisibility);
      this.#close();
    };
  }

  readonly #open = (): void => {
    this.#source = new EventSource("/api/v1/stream");
    this.#source.addEventListener("pulse", () => this.#onMessage());
    this.#source.addEventListener("change", ({ data }) => {
      this.#onMessage();
      this.listener.onChange(JSON.parse(data));
    });
    this.#source.onerror = this.#reconnect;
    this.#silence = setTimeout(this.#reconnect, SILENCE);
  };

  readonly #reconnect = (): void => {
    this.#setConnected(false);
    this.#close();
    this.#retry = setTimeout(this.#open, RETRY);
  };

  #close(): void {
    this.#source?.close();
    clearTimeout(this.#silence);
    clearTimeout(this.#retry);
  }

  #onMessage(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(this.#reconnect, SILENCE);
    this.#setConnected(true);
  }

  #setConnected(connected: boolean): void {
    if (connected !== this.#connected) this.listener.onConnected(connected);
    this.#connected = connected;
  }

  /** A browser allows few connections to one server: hidden tabs must not use them up. */
  readonly #onVisibility = (): void => {
    this.#close();
    if (document.hidden) return;
    this.#open();
    this.listener.onChange({ monitors: true, channels: true, results: true });
  };
}

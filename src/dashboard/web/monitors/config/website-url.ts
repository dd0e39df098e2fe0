/** A URL without user name and password, and these. */
interface SplitUrl {
  url: string;
  user: string;
  password: string;
}

/** A host name or an IP address, with or without a port, and what may follow it. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d+)?(?:[/?#]|$)/i;

/** Adds `https://` to a text that begins with a host, such as `example.com/shop`. */
export function completeUrl(text: string): string {
  return HOST.test(text.replace(USER_INFO, "")) ? `https://${text}` : text;
}

const USER_INFO = /^[^\s/?#@]+:[^\s/?#@]*@/;

/** The user and the password of a URL, which are fields of their own in a config. */
export function splitUrl(text: string): SplitUrl {
  const url = URL.parse(text);
  if (!url || (url.username === "" && url.password === "")) return { url: text, user: "", password: "" };
  const [user, password] = [decoded(url.username), decoded(url.password)];
  url.username = "";
  url.password = "";
  return { url: url.href, user, password };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

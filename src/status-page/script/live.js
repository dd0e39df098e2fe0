// The script of a public page, which works without it (behavior 17.10 to 17.13): local times, and a refresh each minute.
{
  const EVERY = 60_000;
  const STALE_AFTER = 5 * EVERY;
  const STORED = "stillup-page-theme";

  const { lang } = document.documentElement;
  const hours = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const format = (options) => new Intl.DateTimeFormat(`${lang}-u-ca-gregory`, options).format;
  const clock = format(hours);
  const moment = format({ month: "short", day: "numeric", ...hours });
  const fullDate = format({ weekday: "long", month: "long", day: "numeric", year: "numeric" });

  const { dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme:dark)");
  const isDark = () => (dataset.theme ? dataset.theme === "dark" : system.matches);

  const showTheme = (root) => {
    const button = root.querySelector(".theme");
    if (!button) return;
    button.hidden = false;
    button.ariaPressed = isDark();
  };

  const localize = (root) => {
    showTheme(root);
    let date;
    for (const time of root.querySelectorAll("time")) {
      const at = new Date(time.dateTime);
      // A time without a date has that of the time before it in the zone of the page, but maybe not in this zone.
      const isShort = "s" in time.dataset && date === fullDate(at);
      date = fullDate(at);
      time.textContent = (isShort ? clock : moment)(at);
      time.title = `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
    }
    let group;
    for (const day of root.querySelectorAll(".day")) {
      for (const event of day.querySelectorAll("article")) {
        const date = fullDate(new Date(event.querySelector("time").dateTime));
        if (group?.firstElementChild.textContent !== date) {
          group = day.cloneNode();
          group.append(day.firstElementChild.cloneNode());
          group.firstElementChild.textContent = date;
          day.before(group);
        }
        group.append(event);
      }
      day.remove();
    }
    const note = root.querySelector("footer p");
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (note) note.textContent = note.dataset.own.replace("{zone}", timeZone);
  };

  const key = (node) => node.nodeName + (node.querySelector?.("h1,h2,h3,.name")?.textContent ?? "");

  // Changes only what differs, so that focus, scroll position, entered text and what is unfolded stay.
  const sync = (old, next) => {
    if (old.isEqualNode(next)) return;
    if (old.nodeType !== 1) {
      old.nodeValue = next.nodeValue;
      return;
    }
    for (const { name } of [...old.attributes])
      if (name !== "open" && !next.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of next.attributes) if (name !== "open") old.setAttribute(name, value);
    const free = [...old.childNodes];
    const pairs = [...next.childNodes].map((child) => {
      const wanted = key(child);
      const at = free.findIndex((one) => key(one) === wanted);
      return [at < 0 ? null : free.splice(at, 1)[0], child];
    });
    for (const one of free) one.remove();
    let place = old.firstChild;
    for (const [kept, child] of pairs) {
      if (kept) sync(kept, child);
      if (kept && kept === place) place = place.nextSibling;
      else old.insertBefore(kept ?? child, place);
    }
  };

  // The policy of the open document forbids another style and script, and its times are in its language.
  const codeOf = (root) =>
    root.documentElement.lang + Array.from(root.querySelectorAll("style,script"), (one) => one.textContent);

  let shown;
  let refreshedAt = Date.now();

  const refresh = async () => {
    const stale = document.querySelector(".stale");
    try {
      const answer = await fetch(location.href, {
        cache: "no-cache",
        // Without it, a browser would ask for the password in a window of its own.
        headers: { accept: "text/html" },
        signal: AbortSignal.timeout(EVERY / 2),
      });
      const etag = answer.headers.get("etag");
      // The form for the password.
      if (answer.status === 401) return location.reload();
      if (!answer.ok) throw answer;
      if (etag !== shown) {
        const next = new DOMParser().parseFromString(await answer.text(), "text/html");
        if (codeOf(next) !== codeOf(document)) return location.reload();
        localize(next);
        document.title = next.title;
        sync(document.body, next.body);
      }
      shown = etag;
      refreshedAt = Date.now();
      stale.textContent = "";
    } catch {
      if (Date.now() - refreshedAt >= STALE_AFTER)
        stale.textContent = stale.dataset.since.replace("{time}", moment(refreshedAt));
    }
  };

  localize(document);
  system.addEventListener("change", () => showTheme(document));
  document.querySelector(".theme")?.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    try {
      // Who chooses what the system has follows the system again.
      if (system.matches === (theme === "dark")) localStorage.removeItem(STORED);
      else localStorage.setItem(STORED, theme);
    } catch {}
    dataset.theme = theme;
    showTheme(document);
  });
  setInterval(() => document.hidden || refresh(), EVERY);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - refreshedAt >= EVERY) refresh();
  });
}

import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Minden rendszer működik",
    minor: "Kisebb szolgáltatáskiesés",
    major: "Részleges rendszerleállás",
    critical: "Súlyos szolgáltatáskiesés",
    maintenance: "Karbantartás folyik",
  },
  componentStatus: {
    operational: "Működik",
    under_maintenance: "Karbantartás alatt",
    degraded_performance: "Csökkent teljesítmény",
    major_outage: "Súlyos kiesés",
  },
  incidentStatus: {
    investigating: "Vizsgálat alatt",
    identified: "Hiba azonosítva",
    monitoring: "Megfigyelés alatt",
    resolved: "Megoldva",
  },
  maintenanceState: { scheduled: "Tervezett", active: "Folyamatban", ended: "Befejezve" },
  day: { good: "Nincs probléma", partial: "Problémák", down: "Kiesés", none: "Nincs adat" },

  lastChange: "Utolsó változás: {time}",
  since: "Kezdete: {time}",
  span: "{from} – {to}",
  edited: "módosítva: {time}",
  affected: "Érintett: {components}",
  lessThan: "kevesebb mint {amount}",
  timeZone: "Időzóna: {zone}",
  ownTimeZone: "Az időpontok az Ön időzónájában láthatók: {zone}",
  notRefreshed: "Az oldalt nem sikerült frissíteni. Utolsó frissítés: {time}.",

  currentIncidents: "Aktuális incidensek",
  maintenanceInProgress: "Folyamatban lévő karbantartás",
  components: "Összetevők",
  scheduledMaintenance: "Tervezett karbantartás",
  past: "Korábbi incidensek és karbantartások",
  noneInDays: { one: "Nem volt az elmúlt {count} napban.", other: "Nem volt az elmúlt {count} napban." },
  earlierUpdates: { one: "{count} korábbi frissítés", other: "{count} korábbi frissítés" },
  endedMaintenance: "Karbantartás, {span}",
  atomFeed: "Atom-hírcsatorna",

  colorsOfDays: "A napok színei",
  utcDays: "A napok UTC szerint értendők",
  history: { one: "{count} nap előzményei: {problems}", other: "{count} nap előzményei: {problems}" },
  noDaysWithProblems: "nincs problémás nap",
  daysWithProblems: { one: "{count} problémás nap", other: "{count} problémás nap" },
  andEarlier: { one: "és {count} korábbi", other: "és {count} korábbi" },
  today: "Ma",
  uptime: "{uptime} rendelkezésre állás",
  noDataYet: "Még nincs adat",
  meanLatency: "Átlagos válaszidő az elmúlt 24 órában",

  outage: {
    title: { down: "{name} nem működik", degraded: "{name} csökkent teljesítménnyel működik" },
    start: { down: "Nem működik. Kezdete: {time}.", degraded: "Csökkent teljesítmény. Kezdete: {time}." },
    later: "A kiesés véget ért, de a teljesítmény még csökkent. A kiesés időtartama: {duration}.",
    end: "Időtartam: {duration}.",
  },

  notFound: { heading: "Az oldal nem található", text: "Ezen a címen nincs állapotoldal." },
  noIncident: "Ez az oldal nem jeleníti meg ezt az incidenst.",
  unlock: { label: "Jelszó", button: "Oldal megnyitása", wrong: "A jelszó hibás." },
  subscribe: {
    heading: "Feliratkozás az értesítésekre",
    text: "Kapjon e-mailt az incidensekről és a karbantartásokról. Címét az első üzenettel erősítheti meg, és minden üzenet tartalmaz leiratkozási hivatkozást.",
    address: "E-mail-cím",
    button: "Feliratkozás",
    invalid: "Ez nem érvényes e-mail-cím.",
  },
  pending: {
    heading: "Ellenőrizze a postafiókját",
    text: "Ha a cím még nincs feliratkozva, kap egy üzenetet egy hivatkozással. Nyissa meg a feliratkozás megerősítéséhez.",
  },
  limited: { heading: "Túl sok kérés", text: "Túl sok kérést küldött. Próbálja újra néhány perc múlva." },
  confirm: {
    heading: "Feliratkozás megerősítése",
    text: "Ezután e-mailt kap az incidensekről és a karbantartásokról. Oldal: {title}.",
    button: "Megerősítés",
  },
  confirmed: {
    heading: "Feliratkozás megerősítve",
    text: "E-mailt kap az incidensekről és a karbantartásokról. Oldal: {title}. Minden üzenet tartalmaz leiratkozási hivatkozást.",
  },
  unsubscribe: {
    heading: "Leiratkozás",
    text: "Ezután nem kap több üzenetet. Oldal: {title}.",
    button: "Leiratkozás",
  },
  unsubscribed: { heading: "Leiratkozott", text: "Nem kap több üzenetet. Oldal: {title}." },

  mail: {
    optIn: {
      subject: "Erősítse meg feliratkozását: {title}",
      reason:
        "Ezt a címet azért adták meg, hogy üzeneteket kapjon incidensekről, kiesésekről és karbantartásokról. Oldal: {title} ({url}).",
      confirm:
        "Ha Ön volt az, erősítse meg három napon belül. Ha nem, hagyja figyelmen kívül ezt az üzenetet: megerősítés nélkül nem küldünk többet.",
      button: "Feliratkozás megerősítése",
    },
    newIncident: "Új incidens",
    maintenance: "Karbantartás",
    maintenanceOver: "A karbantartás véget ért",
    began: "Kezdete: {start}.",
    beganAndEnded: "Kezdete: {start}. Vége: {end}.",
    beganAndEnds: "Kezdete: {start}. Várható vége: {end}.",
    changes: { one: "{count} változás: {list}", other: "{count} változás: {list}" },
    changesOnPage: { one: "{title}: {count} változás", other: "{title}: {count} egyidejű változás" },
    andMore: { one: "és még {count}", other: "és még {count}" },
    last: "Ez a mai utolsó üzenet, mert egy feliratkozó naponta legfeljebb {count} üzenetet kap. Az aktuális állapotot az oldal mutatja.",
    open: "Állapotoldal megnyitása",
    reason: "Azért kapja ezeket az üzeneteket, mert feliratkozott. Oldal: {title}.",
  },
};

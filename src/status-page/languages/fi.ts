import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Kaikki järjestelmät toimivat",
    minor: "Vähäinen häiriö",
    major: "Osittainen käyttökatko",
    critical: "Laaja käyttökatko",
    maintenance: "Huolto käynnissä",
  },
  componentStatus: {
    operational: "Toimii",
    under_maintenance: "Huollossa",
    degraded_performance: "Heikentynyt suorituskyky",
    major_outage: "Käyttökatko",
  },
  incidentStatus: {
    investigating: "Selvitetään",
    identified: "Syy löydetty",
    monitoring: "Seurataan",
    resolved: "Ratkaistu",
  },
  maintenanceState: { scheduled: "Suunniteltu", active: "Käynnissä", ended: "Valmis" },
  day: { good: "Ei ongelmia", partial: "Ongelmia", down: "Käyttökatko", none: "Ei tietoja" },

  lastChange: "Viimeisin muutos: {time}",
  since: "{time} alkaen",
  span: "{from} – {to}",
  edited: "muokattu: {time}",
  affected: "Vaikuttaa palveluihin: {components}",
  lessThan: "alle {amount}",
  timeZone: "Aikavyöhyke: {zone}",
  ownTimeZone: "Ajat näytetään omalla aikavyöhykkeelläsi: {zone}",
  notRefreshed: "Sivua ei ole voitu päivittää. Viimeksi päivitetty: {time}.",

  currentIncidents: "Ajankohtaiset häiriöt",
  maintenanceInProgress: "Käynnissä oleva huolto",
  components: "Komponentit",
  scheduledMaintenance: "Suunniteltu huolto",
  past: "Aiemmat häiriöt ja huollot",
  noneInDays: {
    one: "Ei yhtään viimeisen päivän aikana.",
    other: "Ei yhtään viimeisten {count} päivän aikana.",
  },
  earlierUpdates: { one: "{count} aiempi päivitys", other: "{count} aiempaa päivitystä" },
  endedMaintenance: "Huolto, {span}",
  atomFeed: "Atom-syöte",

  colorsOfDays: "Päivien värit",
  utcDays: "Päivät ovat UTC-ajassa",
  history: { one: "Historia, {count} päivä: {problems}", other: "Historia, {count} päivää: {problems}" },
  noDaysWithProblems: "ei päiviä, joina oli ongelmia",
  daysWithProblems: { one: "{count} päivä, jona oli ongelmia", other: "{count} päivää, joina oli ongelmia" },
  andEarlier: { one: "ja {count} aiempi", other: "ja {count} aiempaa" },
  today: "Tänään",
  uptime: "Käytettävyys {uptime}",
  noDataYet: "Ei vielä tietoja",
  meanLatency: "Keskimääräinen vasteaika viimeisten 24 tunnin aikana",

  outage: {
    several: {
      down: {
        one: "{count} komponentti ei ole käytettävissä",
        other: "{count} komponenttia ei ole käytettävissä",
      },
      degraded: {
        one: "{count} komponentti toimii normaalia heikommin",
        other: "{count} komponenttia toimii normaalia heikommin",
      },
    },
    title: { down: "{name} ei ole käytettävissä", degraded: "{name} toimii normaalia heikommin" },
    start: { down: "Ei käytettävissä {time} alkaen.", degraded: "Toimii normaalia heikommin {time} alkaen." },
    later: "Käyttökatko on ohi, mutta toiminta on yhä normaalia heikompaa. Käyttökatkon kesto: {duration}.",
    end: "Kesto: {duration}.",
  },

  detected: "Havaittu",
  downtime: "Käyttökatko: {duration}",
  repeats: {
    every: "päivittäin",
    on: [
      "sunnuntaisin",
      "maanantaisin",
      "tiistaisin",
      "keskiviikkoisin",
      "torstaisin",
      "perjantaisin",
      "lauantaisin",
    ],
    other: "Toistuva",
    next: "Seuraavan kerran: {time}",
  },
  months: { link: "Aiemmat kuukaudet", none: "Ei häiriöitä eikä huoltoja tässä kuussa." },
  darkMode: "Tumma tila",
  calendar: "Huoltokalenteri",

  notFound: { heading: "Sivua ei löytynyt", text: "Tässä osoitteessa ei ole tilasivua." },
  noIncident: "Tämä sivu ei näytä tätä häiriötä.",
  unlock: { label: "Salasana", button: "Avaa sivu", wrong: "Salasana on väärä." },
  subscribe: {
    heading: "Tilaa ilmoitukset",
    text: "Saat sähköpostia häiriöistä ja huolloista. Vahvistat osoitteesi ensimmäisen viestin kautta, ja jokaisessa viestissä on linkki tilauksen perumiseen.",
    address: "Sähköpostiosoite",
    button: "Tilaa",
    invalid: "Tämä ei ole kelvollinen sähköpostiosoite.",
  },
  choose: {
    label: "Valitse komponentit",
    hint: "Jos et valitse yhtään, saat viestit kaikista komponenteista.",
    save: "Tallenna",
    saved: "Valintasi on tallennettu",
  },
  pending: {
    heading: "Tarkista sähköpostisi",
    text: "Jos osoitteella ei ole vielä tilausta, saat viestin, jossa on linkki. Vahvista tilaus avaamalla linkki.",
  },
  limited: {
    heading: "Liian monta pyyntöä",
    text: "Olet lähettänyt liian monta pyyntöä. Yritä uudelleen muutaman minuutin kuluttua.",
  },
  confirm: {
    heading: "Vahvista tilaus",
    text: "Sen jälkeen saat sähköpostia häiriöistä ja huolloista: {title}.",
    button: "Vahvista",
  },
  confirmed: {
    heading: "Tilaus on vahvistettu",
    text: "Saat sähköpostia häiriöistä ja huolloista: {title}. Jokaisessa viestissä on linkki tilauksen perumiseen.",
  },
  unsubscribe: {
    heading: "Peru tilaus",
    text: "Sen jälkeen et enää saa viestejä: {title}.",
    button: "Peru tilaus",
  },
  unsubscribed: { heading: "Tilaus on peruttu", text: "Et enää saa viestejä: {title}." },

  mail: {
    optIn: {
      subject: "Vahvista tilaus: {title}",
      reason:
        "Tämä osoite on annettu, jotta siihen lähetettäisiin viestejä häiriöistä, käyttökatkoista ja huolloista: {title} ({url}).",
      confirm:
        "Jos annoit sen itse, vahvista tilaus kolmen päivän kuluessa. Jos et, jätä tämä viesti huomiotta: ilman vahvistusta et saa muita viestejä.",
      button: "Vahvista tilaus",
    },
    newIncident: "Uusi häiriö",
    maintenance: "Huolto",
    maintenanceOver: "Huolto päättyi",
    planned: "Suunniteltu huolto",
    moved: "Huollon ajankohta on muuttunut",
    canceled: "Huolto on peruttu",
    plannedFor: "Suunniteltu alkavan {start} ja päättyvän {end}.",
    began: "Alkoi: {start}.",
    beganAndEnded: "Alkoi: {start}. Päättyi: {end}.",
    beganAndEnds: "Alkoi: {start}. Arvioitu päättyminen: {end}.",
    changes: { one: "{count} muutos: {list}", other: "{count} muutosta: {list}" },
    changesOnPage: { one: "{title}: {count} muutos", other: "{title}: {count} samanaikaista muutosta" },
    andMore: { one: "ja {count} muu", other: "ja {count} muuta" },
    last: "Tämä on päivän viimeinen viesti, koska tilaaja saa enintään {count} viestiä päivässä. Sivu näyttää nykyisen tilan.",
    open: "Avaa tilasivu",
    reason: "Saat nämä viestit, koska olet tilannut ilmoitukset: {title}.",
  },

  report: {
    uptime: "Käytettävyys",
    before: "aiemmin {uptime}",
    outages: "Käyttökatkot",
    missed: "Väliin jääneet ajot",
    ends: "Päättyvät 30 päivän kuluessa",
    certificate: "varmenne",
    domain: "verkkotunnus",
  },
};

import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "few" | "many" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Wszystkie systemy działają prawidłowo",
    minor: "Drobna awaria usługi",
    major: "Częściowa awaria systemu",
    critical: "Poważna awaria usługi",
    maintenance: "Trwają prace serwisowe",
  },
  componentStatus: {
    operational: "Działa",
    under_maintenance: "Prace serwisowe",
    degraded_performance: "Obniżona wydajność",
    major_outage: "Poważna awaria",
  },
  incidentStatus: {
    investigating: "Badamy przyczynę",
    identified: "Ustalono przyczynę",
    monitoring: "Monitorujemy",
    resolved: "Rozwiązano",
  },
  maintenanceState: { scheduled: "Zaplanowane", active: "W toku", ended: "Zakończone" },
  day: { good: "Bez problemów", partial: "Problemy", down: "Awaria", none: "Brak danych" },

  lastChange: "Ostatnia zmiana: {time}",
  since: "Od {time}",
  span: "{from} – {to}",
  edited: "zmieniono: {time}",
  affected: "Dotyczy: {components}",
  lessThan: "mniej niż {amount}",
  timeZone: "Strefa czasowa: {zone}",
  ownTimeZone: "Czas podano w Twojej strefie czasowej: {zone}",
  notRefreshed: "Nie można odświeżyć strony. Ostatnie odświeżenie: {time}.",

  currentIncidents: "Bieżące incydenty",
  maintenanceInProgress: "Trwające prace serwisowe",
  components: "Komponenty",
  scheduledMaintenance: "Zaplanowane prace serwisowe",
  past: "Wcześniejsze incydenty i prace serwisowe",
  noneInDays: {
    one: "Brak w ciągu ostatniego dnia.",
    few: "Brak w ciągu ostatnich {count} dni.",
    many: "Brak w ciągu ostatnich {count} dni.",
    other: "Brak w ciągu ostatnich {count} dnia.",
  },
  earlierUpdates: {
    one: "{count} wcześniejsza aktualizacja",
    few: "{count} wcześniejsze aktualizacje",
    many: "{count} wcześniejszych aktualizacji",
    other: "{count} wcześniejszej aktualizacji",
  },
  endedMaintenance: "Prace serwisowe, {span}",
  atomFeed: "Kanał Atom",

  colorsOfDays: "Kolory dni",
  utcDays: "Dni według czasu UTC",
  history: {
    one: "Historia z {count} dnia: {problems}",
    few: "Historia z {count} dni: {problems}",
    many: "Historia z {count} dni: {problems}",
    other: "Historia z {count} dnia: {problems}",
  },
  noDaysWithProblems: "brak dni z problemami",
  daysWithProblems: {
    one: "{count} dzień z problemami",
    few: "{count} dni z problemami",
    many: "{count} dni z problemami",
    other: "{count} dnia z problemami",
  },
  andEarlier: {
    one: "i {count} wcześniejszy",
    few: "i {count} wcześniejsze",
    many: "i {count} wcześniejszych",
    other: "i {count} wcześniejszego",
  },
  today: "Dzisiaj",
  uptime: "Dostępność {uptime}",
  noDataYet: "Jeszcze brak danych",
  meanLatency: "Średni czas odpowiedzi z ostatnich 24 godzin",

  outage: {
    several: {
      down: {
        one: "{count} komponent: awaria",
        few: "{count} komponenty: awaria",
        many: "{count} komponentów: awaria",
        other: "{count} komponentu: awaria",
      },
      degraded: {
        one: "{count} komponent: obniżona wydajność",
        few: "{count} komponenty: obniżona wydajność",
        many: "{count} komponentów: obniżona wydajność",
        other: "{count} komponentu: obniżona wydajność",
      },
    },
    title: { down: "{name}: awaria", degraded: "{name}: obniżona wydajność" },
    start: { down: "Awaria trwa od {time}.", degraded: "Obniżona wydajność od {time}." },
    later: "Awaria się skończyła, ale wydajność jest nadal obniżona. Czas trwania awarii: {duration}.",
    end: "Czas trwania: {duration}.",
  },

  detected: "Wykryto",
  downtime: "Czas awarii: {duration}",
  repeats: {
    every: "codziennie",
    on: ["w niedziele", "w poniedziałki", "we wtorki", "w środy", "w czwartki", "w piątki", "w soboty"],
    other: "Cyklicznie",
    next: "Następny termin: {time}",
  },
  months: { link: "Wcześniejsze miesiące", none: "W tym miesiącu nie było incydentów ani prac serwisowych." },
  darkMode: "Tryb ciemny",
  calendar: "Kalendarz prac serwisowych",

  notFound: { heading: "Nie znaleziono strony", text: "Pod tym adresem nie ma strony statusu." },
  noIncident: "Ta strona nie pokazuje tego incydentu.",
  unlock: { label: "Hasło", button: "Otwórz stronę", wrong: "Hasło jest nieprawidłowe." },
  subscribe: {
    heading: "Subskrybuj aktualizacje",
    text: "Otrzymuj e-maile o incydentach i pracach serwisowych. Adres potwierdzisz w pierwszej wiadomości, a każda wiadomość zawiera link do rezygnacji.",
    address: "Adres e-mail",
    button: "Subskrybuj",
    invalid: "To nie jest prawidłowy adres e-mail.",
  },
  choose: {
    label: "Wybierz komponenty",
    hint: "Jeśli nie wybierzesz żadnego, otrzymasz wiadomości o wszystkich komponentach.",
    save: "Zapisz",
    saved: "Wybór został zapisany",
  },
  pending: {
    heading: "Sprawdź skrzynkę odbiorczą",
    text: "Jeśli ten adres nie jest jeszcze zapisany, otrzymasz wiadomość z linkiem. Otwórz go, aby potwierdzić subskrypcję.",
  },
  limited: {
    heading: "Zbyt wiele żądań",
    text: "Wysłano zbyt wiele żądań. Spróbuj ponownie za kilka minut.",
  },
  confirm: {
    heading: "Potwierdź subskrypcję",
    text: "Po potwierdzeniu będziesz otrzymywać e-maile o incydentach i pracach serwisowych. Strona: {title}.",
    button: "Potwierdź",
  },
  confirmed: {
    heading: "Subskrypcja potwierdzona",
    text: "Będziesz otrzymywać e-maile o incydentach i pracach serwisowych. Strona: {title}. Każda wiadomość zawiera link do rezygnacji.",
  },
  unsubscribe: {
    heading: "Rezygnacja z subskrypcji",
    text: "Po rezygnacji nie będziesz już otrzymywać wiadomości. Strona: {title}.",
    button: "Zrezygnuj z subskrypcji",
  },
  unsubscribed: {
    heading: "Subskrypcja anulowana",
    text: "Nie będziesz już otrzymywać wiadomości. Strona: {title}.",
  },

  mail: {
    optIn: {
      subject: "Potwierdź subskrypcję: {title}",
      reason:
        "Ten adres podano, aby otrzymywać wiadomości o incydentach, awariach i pracach serwisowych. Strona: {title} ({url}).",
      confirm:
        "Jeśli to Twoje zgłoszenie, potwierdź je w ciągu trzech dni. Jeśli nie, zignoruj tę wiadomość: bez potwierdzenia nie będzie kolejnych.",
      button: "Potwierdź subskrypcję",
    },
    newIncident: "Nowy incydent",
    maintenance: "Prace serwisowe",
    maintenanceOver: "Zakończono prace serwisowe",
    planned: "Zaplanowane prace serwisowe",
    moved: "Zmieniono termin prac serwisowych",
    canceled: "Odwołano prace serwisowe",
    plannedFor: "Planowany początek: {start}. Planowany koniec: {end}.",
    began: "Początek: {start}.",
    beganAndEnded: "Początek: {start}. Koniec: {end}.",
    beganAndEnds: "Początek: {start}. Planowany koniec: {end}.",
    changes: {
      one: "{count} zmiana: {list}",
      few: "{count} zmiany: {list}",
      many: "{count} zmian: {list}",
      other: "{count} zmiany: {list}",
    },
    changesOnPage: {
      one: "{title}: {count} zmiana",
      few: "{title}: {count} zmiany w tym samym czasie",
      many: "{title}: {count} zmian w tym samym czasie",
      other: "{title}: {count} zmiany w tym samym czasie",
    },
    andMore: {
      one: "i jeszcze {count}",
      few: "i jeszcze {count}",
      many: "i jeszcze {count}",
      other: "i jeszcze {count}",
    },
    last: "To ostatnia wiadomość dzisiaj, ponieważ subskrybent otrzymuje ich najwyżej {count} dziennie. Aktualny stan pokazuje strona.",
    open: "Otwórz stronę statusu",
    reason: "Otrzymujesz te wiadomości, ponieważ subskrybujesz: {title}.",
  },

  report: {
    uptime: "Dostępność",
    before: "wcześniej: {uptime}",
    outages: "Awarie",
    missed: "Pominięte uruchomienia",
    ends: "Wygasa w ciągu 30 dni",
    certificate: "certyfikat",
    domain: "domena",
  },
};

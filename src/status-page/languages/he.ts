import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "two" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "כל המערכות פועלות כסדרן",
    minor: "תקלה קלה בשירות",
    major: "תקלה חלקית במערכת",
    critical: "תקלה חמורה בשירות",
    maintenance: "השירות בתחזוקה",
  },
  componentStatus: {
    operational: "תקין",
    under_maintenance: "בתחזוקה",
    degraded_performance: "ביצועים ירודים",
    major_outage: "תקלה חמורה",
  },
  incidentStatus: {
    investigating: "בבדיקה",
    identified: "הסיבה אותרה",
    monitoring: "במעקב",
    resolved: "נפתרה",
  },
  maintenanceState: { scheduled: "מתוכננת", active: "מתבצעת כעת", ended: "הושלמה" },
  day: { good: "ללא בעיות", partial: "בעיות", down: "תקלה", none: "אין נתונים" },

  lastChange: "שינוי אחרון: {time}",
  since: "מאז {time}",
  span: "{from} עד {to}",
  edited: "נערך: {time}",
  affected: "רכיבים מושפעים: {components}",
  lessThan: "פחות מ־{amount}",
  timeZone: "אזור זמן: {zone}",
  ownTimeZone: "השעות מוצגות באזור הזמן שלך: {zone}",
  notRefreshed: "לא ניתן היה לרענן את העמוד מאז {time}.",

  currentIncidents: "תקלות נוכחיות",
  maintenanceInProgress: "תחזוקה מתבצעת",
  components: "רכיבים",
  scheduledMaintenance: "תחזוקה מתוכננת",
  past: "תקלות ותחזוקה קודמות",
  noneInDays: {
    one: "לא היו ביום האחרון.",
    two: "לא היו ביומיים האחרונים.",
    other: "לא היו ב־{count} הימים האחרונים.",
  },
  earlierUpdates: { one: "עדכון קודם אחד", two: "שני עדכונים קודמים", other: "{count} עדכונים קודמים" },
  endedMaintenance: "תחזוקה, {span}",
  atomFeed: "פיד Atom",

  colorsOfDays: "צבעי הימים",
  utcDays: "הימים לפי UTC",
  history: {
    one: "היסטוריה של יום אחד: {problems}",
    two: "היסטוריה של יומיים: {problems}",
    other: "היסטוריה של {count} ימים: {problems}",
  },
  noDaysWithProblems: "אין ימים עם בעיות",
  daysWithProblems: { one: "יום אחד עם בעיות", two: "יומיים עם בעיות", other: "{count} ימים עם בעיות" },
  andEarlier: { one: "ועוד יום אחד קודם", two: "ועוד יומיים קודמים", other: "ועוד {count} ימים קודמים" },
  today: "היום",
  uptime: "זמינות {uptime}",
  noDataYet: "עדיין אין נתונים",
  meanLatency: "זמן תגובה ממוצע ב־24 השעות האחרונות",

  outage: {
    title: { down: "תקלה ב־{name}", degraded: "ביצועים ירודים ב־{name}" },
    start: { down: "התקלה נמשכת מאז {time}.", degraded: "הביצועים ירודים מאז {time}." },
    later: "התקלה הסתיימה, אך הביצועים עדיין ירודים. משך התקלה: {duration}.",
    end: "משך: {duration}.",
  },

  notFound: { heading: "העמוד לא נמצא", text: "אין עמוד סטטוס בכתובת זו." },
  noIncident: "עמוד זה אינו מציג את התקלה הזו.",
  unlock: { label: "סיסמה", button: "פתיחת העמוד", wrong: "הסיסמה שגויה." },
  subscribe: {
    heading: "הרשמה לעדכונים",
    text: "קבלת דוא״ל על תקלות ותחזוקה. אישור הכתובת נעשה בהודעה הראשונה, ובכל הודעה יש קישור לביטול ההרשמה.",
    address: "כתובת דוא״ל",
    button: "הרשמה",
    invalid: "כתובת הדוא״ל אינה תקינה.",
  },
  pending: {
    heading: "נא לבדוק את תיבת הדואר",
    text: "אם הכתובת עדיין לא רשומה, תישלח אליה הודעה עם קישור. יש לפתוח אותו כדי לאשר את ההרשמה.",
  },
  limited: { heading: "יותר מדי בקשות", text: "נשלחו יותר מדי בקשות. נא לנסות שוב בעוד כמה דקות." },
  confirm: {
    heading: "אישור ההרשמה",
    text: "לאחר האישור יישלח אליך דוא״ל על תקלות ותחזוקה של {title}.",
    button: "אישור",
  },
  confirmed: {
    heading: "ההרשמה אושרה",
    text: "יישלח אליך דוא״ל על תקלות ותחזוקה של {title}. בכל הודעה יש קישור לביטול ההרשמה.",
  },
  unsubscribe: {
    heading: "ביטול ההרשמה",
    text: "לאחר הביטול לא יישלחו אליך עוד הודעות על {title}.",
    button: "ביטול ההרשמה",
  },
  unsubscribed: { heading: "ההרשמה בוטלה", text: "לא יישלחו אליך עוד הודעות על {title}." },

  mail: {
    optIn: {
      subject: "אישור ההרשמה לעדכונים של {title}",
      reason: "כתובת זו הוזנה לקבלת הודעות על תקלות, השבתות ותחזוקה של {title} ({url}).",
      confirm:
        "אם ההרשמה נעשתה על ידך, יש לאשר אותה בתוך שלושה ימים. אם לא, אפשר להתעלם מהודעה זו: ללא אישור לא יישלחו הודעות נוספות.",
      button: "אישור ההרשמה",
    },
    newIncident: "תקלה חדשה",
    maintenance: "תחזוקה",
    maintenanceOver: "התחזוקה הסתיימה",
    began: "התחלה: {start}.",
    beganAndEnded: "התחלה: {start}. סיום: {end}.",
    beganAndEnds: "התחלה: {start}. סיום צפוי: {end}.",
    changes: { one: "שינוי אחד: {list}", two: "שני שינויים: {list}", other: "{count} שינויים: {list}" },
    changesOnPage: {
      one: "שינוי אחד ב־{title}:",
      two: "שני שינויים בו־זמניים ב־{title}:",
      other: "{count} שינויים בו־זמניים ב־{title}:",
    },
    andMore: { one: "ועוד אחד", two: "ועוד שניים", other: "ועוד {count}" },
    last: "זו ההודעה האחרונה להיום, כי כל מנוי מקבל לכל היותר {count} הודעות ביום. המצב הנוכחי מוצג בעמוד.",
    open: "פתיחת עמוד הסטטוס",
    reason: "הודעות אלה נשלחות אליך בשל הרשמתך לעדכונים של {title}.",
  },
};

import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "few" | "many" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Усі системи працюють у штатному режимі",
    minor: "Незначний збій",
    major: "Частковий збій системи",
    critical: "Серйозний збій",
    maintenance: "Тривають технічні роботи",
  },
  componentStatus: {
    operational: "Працює",
    under_maintenance: "Технічні роботи",
    degraded_performance: "Працює з перебоями",
    major_outage: "Серйозний збій",
  },
  incidentStatus: {
    investigating: "З’ясовуємо причину",
    identified: "Причину знайдено",
    monitoring: "Спостерігаємо",
    resolved: "Усунено",
  },
  maintenanceState: { scheduled: "Заплановано", active: "Тривають", ended: "Завершено" },
  day: { good: "Без проблем", partial: "Проблеми", down: "Збій", none: "Немає даних" },

  lastChange: "Остання зміна: {time}",
  since: "З {time}",
  span: "{from} – {to}",
  edited: "змінено: {time}",
  affected: "Впливає на: {components}",
  lessThan: "менше ніж {amount}",
  timeZone: "Часовий пояс: {zone}",
  ownTimeZone: "Час вказано у вашому часовому поясі: {zone}",
  notRefreshed: "Не вдається оновити сторінку. Останнє оновлення: {time}.",

  currentIncidents: "Поточні інциденти",
  maintenanceInProgress: "Тривають технічні роботи",
  components: "Компоненти",
  scheduledMaintenance: "Заплановані роботи",
  past: "Минулі інциденти та роботи",
  noneInDays: {
    one: "За останній {count} день не було ні інцидентів, ні робіт.",
    few: "За останні {count} дні не було ні інцидентів, ні робіт.",
    many: "За останні {count} днів не було ні інцидентів, ні робіт.",
    other: "За останні {count} дня не було ні інцидентів, ні робіт.",
  },
  earlierUpdates: {
    one: "{count} попереднє повідомлення",
    few: "{count} попередні повідомлення",
    many: "{count} попередніх повідомлень",
    other: "{count} попереднього повідомлення",
  },
  endedMaintenance: "Технічні роботи, {span}",
  atomFeed: "Стрічка Atom",

  colorsOfDays: "Кольори днів",
  utcDays: "Дні вказано за UTC",
  history: {
    one: "Історія за {count} день: {problems}",
    few: "Історія за {count} дні: {problems}",
    many: "Історія за {count} днів: {problems}",
    other: "Історія за {count} дня: {problems}",
  },
  noDaysWithProblems: "немає днів із проблемами",
  daysWithProblems: {
    one: "{count} день із проблемами",
    few: "{count} дні з проблемами",
    many: "{count} днів із проблемами",
    other: "{count} дня з проблемами",
  },
  andEarlier: {
    one: "і ще {count} раніший",
    few: "і ще {count} раніші",
    many: "і ще {count} раніших",
    other: "і ще {count} ранішого",
  },
  today: "Сьогодні",
  uptime: "Доступність {uptime}",
  noDataYet: "Даних ще немає",
  meanLatency: "Середній час відгуку за останні 24 години",

  outage: {
    title: { down: "{name} не працює", degraded: "{name} працює з перебоями" },
    start: { down: "Не працює з {time}.", degraded: "Перебої в роботі з {time}." },
    later: "Збій закінчився, але роботу ще не повністю відновлено. Тривалість збою: {duration}.",
    end: "Тривалість: {duration}.",
  },

  notFound: { heading: "Сторінку не знайдено", text: "За цією адресою немає сторінки статусу." },
  noIncident: "На цій сторінці немає цього інциденту.",
  unlock: { label: "Пароль", button: "Відкрити сторінку", wrong: "Неправильний пароль." },
  subscribe: {
    heading: "Підписатися на оновлення",
    text: "Отримуйте листи про інциденти й технічні роботи. Адреса підтверджується за першим листом, і в кожному листі є посилання, щоб відписатися.",
    address: "Адреса електронної пошти",
    button: "Підписатися",
    invalid: "Це недійсна адреса електронної пошти.",
  },
  pending: {
    heading: "Перевірте пошту",
    text: "Якщо адреса ще не підписана, ви отримаєте лист із посиланням. Відкрийте його, щоб підтвердити підписку.",
  },
  limited: {
    heading: "Забагато запитів",
    text: "Ви надіслали забагато запитів. Спробуйте ще раз за кілька хвилин.",
  },
  confirm: {
    heading: "Підтвердьте підписку",
    text: "Після цього ви отримуватимете листи про інциденти й технічні роботи. Сторінка: {title}.",
    button: "Підтвердити",
  },
  confirmed: {
    heading: "Підписку оформлено",
    text: "Ви отримуватимете листи про інциденти й технічні роботи. Сторінка: {title}. У кожному листі є посилання, щоб відписатися.",
  },
  unsubscribe: {
    heading: "Відписатися",
    text: "Після цього ви не отримуватимете листів. Сторінка: {title}.",
    button: "Відписатися",
  },
  unsubscribed: { heading: "Ви відписалися", text: "Ви більше не отримуватимете листів. Сторінка: {title}." },

  mail: {
    optIn: {
      subject: "Підтвердьте підписку: {title}",
      reason:
        "Цю адресу вказали, щоб отримувати листи про інциденти, збої й технічні роботи. Сторінка: {title} ({url}).",
      confirm:
        "Якщо це були ви, підтвердьте підписку протягом трьох днів. Якщо ні, не зважайте на цей лист: без підтвердження інших листів не буде.",
      button: "Підтвердити підписку",
    },
    newIncident: "Новий інцидент",
    maintenance: "Технічні роботи",
    maintenanceOver: "Технічні роботи завершено",
    began: "Початок: {start}.",
    beganAndEnded: "Початок: {start}. Закінчення: {end}.",
    beganAndEnds: "Початок: {start}. Очікуване закінчення: {end}.",
    changes: {
      one: "{count} зміна: {list}",
      few: "{count} зміни: {list}",
      many: "{count} змін: {list}",
      other: "{count} зміни: {list}",
    },
    changesOnPage: {
      one: "{title}: {count} зміна",
      few: "{title}: {count} зміни одночасно",
      many: "{title}: {count} змін одночасно",
      other: "{title}: {count} зміни одночасно",
    },
    andMore: { one: "і ще {count}", few: "і ще {count}", many: "і ще {count}", other: "і ще {count}" },
    last: "Це останній лист на сьогодні: підписник отримує не більше ніж {count} листів на день. Поточний стан показано на сторінці.",
    open: "Відкрити сторінку статусу",
    reason: "Ви отримуєте ці листи, бо підписалися на оновлення. Сторінка: {title}.",
  },
};

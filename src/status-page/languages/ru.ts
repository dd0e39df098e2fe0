import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "few" | "many" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Все системы работают в штатном режиме",
    minor: "Незначительный сбой",
    major: "Частичный сбой системы",
    critical: "Серьёзный сбой",
    maintenance: "Ведутся технические работы",
  },
  componentStatus: {
    operational: "Работает",
    under_maintenance: "Технические работы",
    degraded_performance: "Работает с перебоями",
    major_outage: "Серьёзный сбой",
  },
  incidentStatus: {
    investigating: "Выясняем причину",
    identified: "Причина найдена",
    monitoring: "Наблюдаем",
    resolved: "Устранено",
  },
  maintenanceState: { scheduled: "Запланированы", active: "Идут сейчас", ended: "Завершены" },
  day: { good: "Без проблем", partial: "Проблемы", down: "Сбой", none: "Нет данных" },

  lastChange: "Последнее изменение: {time}",
  since: "С {time}",
  span: "{from} – {to}",
  edited: "изменено: {time}",
  affected: "Затронутые компоненты: {components}",
  lessThan: "меньше чем {amount}",
  timeZone: "Часовой пояс: {zone}",
  ownTimeZone: "Время указано в вашем часовом поясе: {zone}",
  notRefreshed: "Не удаётся обновить страницу. Последнее обновление: {time}.",

  currentIncidents: "Текущие инциденты",
  maintenanceInProgress: "Идут технические работы",
  components: "Компоненты",
  scheduledMaintenance: "Запланированные работы",
  past: "Прошедшие инциденты и работы",
  noneInDays: {
    one: "За последний {count} день не было ни инцидентов, ни работ.",
    few: "За последние {count} дня не было ни инцидентов, ни работ.",
    many: "За последние {count} дней не было ни инцидентов, ни работ.",
    other: "За последние {count} дня не было ни инцидентов, ни работ.",
  },
  earlierUpdates: {
    one: "{count} предыдущее сообщение",
    few: "{count} предыдущих сообщения",
    many: "{count} предыдущих сообщений",
    other: "{count} предыдущего сообщения",
  },
  endedMaintenance: "Технические работы, {span}",
  atomFeed: "Лента Atom",

  colorsOfDays: "Цвета дней",
  utcDays: "Дни указаны по UTC",
  history: {
    one: "История за {count} день: {problems}",
    few: "История за {count} дня: {problems}",
    many: "История за {count} дней: {problems}",
    other: "История за {count} дня: {problems}",
  },
  noDaysWithProblems: "нет дней с проблемами",
  daysWithProblems: {
    one: "{count} день с проблемами",
    few: "{count} дня с проблемами",
    many: "{count} дней с проблемами",
    other: "{count} дня с проблемами",
  },
  andEarlier: {
    one: "и ещё {count} более ранний",
    few: "и ещё {count} более ранних",
    many: "и ещё {count} более ранних",
    other: "и ещё {count} более раннего",
  },
  today: "Сегодня",
  uptime: "Доступность {uptime}",
  noDataYet: "Данных пока нет",
  meanLatency: "Среднее время отклика за последние 24 часа",

  outage: {
    title: { down: "{name} не работает", degraded: "{name} работает с перебоями" },
    start: { down: "Не работает с {time}.", degraded: "Перебои в работе с {time}." },
    later: "Сбой закончился, но работа ещё не полностью восстановлена. Длительность сбоя: {duration}.",
    end: "Длительность: {duration}.",
  },

  notFound: { heading: "Страница не найдена", text: "По этому адресу нет страницы статуса." },
  noIncident: "На этой странице нет этого инцидента.",
  unlock: { label: "Пароль", button: "Открыть страницу", wrong: "Неверный пароль." },
  subscribe: {
    heading: "Подписаться на обновления",
    text: "Получайте письма об инцидентах и технических работах. Адрес подтверждается по первому письму, и в каждом письме есть ссылка, чтобы отписаться.",
    address: "Адрес электронной почты",
    button: "Подписаться",
    invalid: "Некорректный адрес электронной почты.",
  },
  pending: {
    heading: "Проверьте почту",
    text: "Если адрес ещё не подписан, вы получите письмо со ссылкой. Откройте её, чтобы подтвердить подписку.",
  },
  limited: {
    heading: "Слишком много запросов",
    text: "Вы отправили слишком много запросов. Повторите попытку через несколько минут.",
  },
  confirm: {
    heading: "Подтвердите подписку",
    text: "После этого вы будете получать письма об инцидентах и технических работах. Страница: {title}.",
    button: "Подтвердить",
  },
  confirmed: {
    heading: "Подписка оформлена",
    text: "Вы будете получать письма об инцидентах и технических работах. Страница: {title}. В каждом письме есть ссылка, чтобы отписаться.",
  },
  unsubscribe: {
    heading: "Отписаться",
    text: "После этого вы не будете получать писем. Страница: {title}.",
    button: "Отписаться",
  },
  unsubscribed: { heading: "Вы отписались", text: "Вы больше не будете получать писем. Страница: {title}." },

  mail: {
    optIn: {
      subject: "Подтвердите подписку: {title}",
      reason:
        "Этот адрес указали, чтобы получать письма об инцидентах, сбоях и технических работах. Страница: {title} ({url}).",
      confirm:
        "Если это были вы, подтвердите подписку в течение трёх дней. Если нет, не обращайте внимания на это письмо: без подтверждения других писем не будет.",
      button: "Подтвердить подписку",
    },
    newIncident: "Новый инцидент",
    maintenance: "Технические работы",
    maintenanceOver: "Технические работы завершены",
    began: "Начало: {start}.",
    beganAndEnded: "Начало: {start}. Окончание: {end}.",
    beganAndEnds: "Начало: {start}. Ожидаемое окончание: {end}.",
    changes: {
      one: "{count} изменение: {list}",
      few: "{count} изменения: {list}",
      many: "{count} изменений: {list}",
      other: "{count} изменения: {list}",
    },
    changesOnPage: {
      one: "{title}: {count} изменение",
      few: "{title}: {count} изменения одновременно",
      many: "{title}: {count} изменений одновременно",
      other: "{title}: {count} изменения одновременно",
    },
    andMore: { one: "и ещё {count}", few: "и ещё {count}", many: "и ещё {count}", other: "и ещё {count}" },
    last: "Это последнее письмо на сегодня: подписчик получает не больше {count} писем в день. Текущее состояние показано на странице.",
    open: "Открыть страницу статуса",
    reason: "Вы получаете эти письма, потому что подписались на обновления. Страница: {title}.",
  },
};

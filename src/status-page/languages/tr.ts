import type { Texts } from "./texts.ts";

export const texts: Texts<"one" | "other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Tüm sistemler çalışıyor",
    minor: "Küçük çaplı kesinti",
    major: "Kısmi sistem kesintisi",
    critical: "Büyük çaplı kesinti",
    maintenance: "Bakım çalışması devam ediyor",
  },
  componentStatus: {
    operational: "Çalışıyor",
    under_maintenance: "Bakımda",
    degraded_performance: "Düşük performans",
    major_outage: "Büyük çaplı kesinti",
  },
  incidentStatus: {
    investigating: "İnceleniyor",
    identified: "Sorun tespit edildi",
    monitoring: "İzleniyor",
    resolved: "Çözüldü",
  },
  maintenanceState: { scheduled: "Planlandı", active: "Devam ediyor", ended: "Tamamlandı" },
  day: { good: "Sorun yok", partial: "Sorun var", down: "Kesinti", none: "Veri yok" },

  lastChange: "Son değişiklik: {time}",
  since: "Başlangıç: {time}",
  span: "{from} – {to}",
  edited: "düzenlendi: {time}",
  affected: "Etkilenen bileşenler: {components}",
  lessThan: "{amount} altında",
  timeZone: "Saat dilimi: {zone}",
  ownTimeZone: "Saatler kendi saat diliminize göredir: {zone}",
  notRefreshed: "Sayfa yenilenemiyor. Son yenileme: {time}.",

  currentIncidents: "Devam eden olaylar",
  maintenanceInProgress: "Devam eden bakım",
  components: "Bileşenler",
  scheduledMaintenance: "Planlı bakım",
  past: "Geçmiş olaylar ve bakımlar",
  noneInDays: { one: "Son {count} günde kayıt yok.", other: "Son {count} günde kayıt yok." },
  earlierUpdates: { one: "Önceki {count} güncelleme", other: "Önceki {count} güncelleme" },
  endedMaintenance: "Bakım, {span}",
  atomFeed: "Atom akışı",

  colorsOfDays: "Günlerin renkleri",
  utcDays: "Günler UTC’ye göredir",
  history: { one: "{count} günlük geçmiş: {problems}", other: "{count} günlük geçmiş: {problems}" },
  noDaysWithProblems: "sorunlu gün yok",
  daysWithProblems: { one: "{count} sorunlu gün", other: "{count} sorunlu gün" },
  andEarlier: { one: "ve daha önceki {count} gün", other: "ve daha önceki {count} gün" },
  today: "Bugün",
  uptime: "{uptime} erişilebilirlik",
  noDataYet: "Henüz veri yok",
  meanLatency: "Son 24 saatin ortalama yanıt süresi",

  outage: {
    several: {
      down: { one: "{count} bileşen çalışmıyor", other: "{count} bileşen çalışmıyor" },
      degraded: {
        one: "{count} bileşen düşük performansla çalışıyor",
        other: "{count} bileşen düşük performansla çalışıyor",
      },
    },
    title: { down: "{name} çalışmıyor", degraded: "{name} düşük performansla çalışıyor" },
    start: {
      down: "Çalışmıyor. Başlangıç: {time}.",
      degraded: "Düşük performansla çalışıyor. Başlangıç: {time}.",
    },
    later: "Kesinti sona erdi, ancak performans hâlâ düşük. Kesinti süresi: {duration}.",
    end: "Süre: {duration}.",
  },

  detected: "Algılandı",
  downtime: "Kesinti süresi: {duration}",
  repeats: {
    every: "her gün",
    on: [
      "pazar günleri",
      "pazartesi günleri",
      "salı günleri",
      "çarşamba günleri",
      "perşembe günleri",
      "cuma günleri",
      "cumartesi günleri",
    ],
    other: "Yinelenir",
    next: "Sonraki: {time}",
  },
  months: { link: "Önceki aylar", none: "Bu ayda olay ve bakım yok." },
  darkMode: "Koyu tema",
  calendar: "Bakım takvimi",

  notFound: { heading: "Sayfa bulunamadı", text: "Bu adreste bir durum sayfası yok." },
  noIncident: "Bu sayfa bu olayı göstermiyor.",
  unlock: { label: "Parola", button: "Sayfayı aç", wrong: "Parola yanlış." },
  subscribe: {
    heading: "Güncellemelere abone olun",
    text: "Olaylar ve bakımlar hakkında e-posta alın. Adresinizi ilk iletiyle doğrularsınız ve her iletide abonelikten çıkma bağlantısı bulunur.",
    address: "E-posta adresi",
    button: "Abone ol",
    invalid: "Bu geçerli bir e-posta adresi değil.",
  },
  choose: {
    label: "Bileşenleri seçin",
    hint: "Hiçbirini seçmezseniz tüm bileşenlerle ilgili ileti alırsınız.",
    save: "Kaydet",
    saved: "Seçiminiz kaydedildi",
  },
  pending: {
    heading: "Gelen kutunuza bakın",
    text: "Adres henüz abone değilse bağlantı içeren bir ileti alırsınız. Aboneliğinizi onaylamak için bağlantıyı açın.",
  },
  limited: {
    heading: "Çok fazla istek",
    text: "Çok fazla istek gönderdiniz. Birkaç dakika sonra yeniden deneyin.",
  },
  confirm: {
    heading: "Aboneliğinizi onaylayın",
    text: "Onayladıktan sonra olaylar ve bakımlar hakkında e-posta alırsınız. Sayfa: {title}.",
    button: "Onayla",
  },
  confirmed: {
    heading: "Aboneliğiniz onaylandı",
    text: "Olaylar ve bakımlar hakkında e-posta alacaksınız. Sayfa: {title}. Her iletide abonelikten çıkma bağlantısı bulunur.",
  },
  unsubscribe: {
    heading: "Abonelikten çık",
    text: "Bundan sonra ileti almazsınız. Sayfa: {title}.",
    button: "Abonelikten çık",
  },
  unsubscribed: { heading: "Abonelikten çıktınız", text: "Artık ileti almayacaksınız. Sayfa: {title}." },

  mail: {
    optIn: {
      subject: "Aboneliğinizi onaylayın: {title}",
      reason:
        "Bu adres; olaylar, kesintiler ve bakımlar hakkında ileti almak için girildi. Sayfa: {title} ({url}).",
      confirm:
        "Bu isteği siz gönderdiyseniz üç gün içinde onaylayın. Göndermediyseniz bu iletiyi dikkate almayın: onay olmadan başka ileti gönderilmez.",
      button: "Aboneliği onayla",
    },
    newIncident: "Yeni olay",
    maintenance: "Bakım",
    maintenanceOver: "Bakım sona erdi",
    planned: "Planlı bakım",
    moved: "Bakımın zamanı değişti",
    canceled: "Bakım iptal edildi",
    plannedFor: "Planlanan başlangıç: {start}. Planlanan bitiş: {end}.",
    began: "Başlangıç: {start}.",
    beganAndEnded: "Başlangıç: {start}. Bitiş: {end}.",
    beganAndEnds: "Başlangıç: {start}. Beklenen bitiş: {end}.",
    changes: { one: "{count} değişiklik: {list}", other: "{count} değişiklik: {list}" },
    changesOnPage: { one: "{title}: {count} değişiklik", other: "{title}: aynı anda {count} değişiklik" },
    andMore: { one: "ve {count} tane daha", other: "ve {count} tane daha" },
    last: "Bu, bugünün son iletisi; bir abone günde en fazla {count} ileti alır. Güncel durumu sayfada görebilirsiniz.",
    open: "Durum sayfasını aç",
    reason: "Bu iletileri abone olduğunuz için alıyorsunuz. Sayfa: {title}.",
  },

  report: {
    uptime: "Erişilebilirlik",
    before: "önce: {uptime}",
    outages: "Kesintiler",
    missed: "Kaçırılan çalıştırmalar",
    ends: "30 gün içinde sona erenler",
    certificate: "sertifika",
    domain: "alan adı",
  },
};

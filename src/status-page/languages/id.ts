import type { Texts } from "./texts.ts";

export const texts: Texts<"other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Semua sistem beroperasi normal",
    minor: "Gangguan layanan ringan",
    major: "Gangguan sebagian sistem",
    critical: "Gangguan layanan besar",
    maintenance: "Layanan dalam pemeliharaan",
  },
  componentStatus: {
    operational: "Beroperasi",
    under_maintenance: "Dalam pemeliharaan",
    degraded_performance: "Kinerja menurun",
    major_outage: "Gangguan besar",
  },
  incidentStatus: {
    investigating: "Sedang diselidiki",
    identified: "Penyebab ditemukan",
    monitoring: "Sedang dipantau",
    resolved: "Teratasi",
  },
  maintenanceState: { scheduled: "Dijadwalkan", active: "Berlangsung", ended: "Selesai" },
  day: { good: "Tidak ada masalah", partial: "Ada masalah", down: "Gangguan", none: "Tidak ada data" },

  lastChange: "Perubahan terakhir: {time}",
  since: "Sejak {time}",
  span: "{from} – {to}",
  edited: "diedit: {time}",
  affected: "Terdampak: {components}",
  lessThan: "kurang dari {amount}",
  timeZone: "Zona waktu: {zone}",
  ownTimeZone: "Waktu ditampilkan dalam zona waktu Anda: {zone}",
  notRefreshed: "Halaman tidak dapat diperbarui sejak {time}.",

  currentIncidents: "Insiden saat ini",
  maintenanceInProgress: "Pemeliharaan sedang berlangsung",
  components: "Komponen",
  scheduledMaintenance: "Pemeliharaan terjadwal",
  past: "Insiden dan pemeliharaan sebelumnya",
  noneInDays: { other: "Tidak ada dalam {count} hari terakhir." },
  earlierUpdates: { other: "{count} pembaruan sebelumnya" },
  endedMaintenance: "Pemeliharaan, {span}",
  atomFeed: "Umpan Atom",

  colorsOfDays: "Warna hari",
  utcDays: "Hari menurut UTC",
  history: { other: "Riwayat {count} hari: {problems}" },
  noDaysWithProblems: "tidak ada hari bermasalah",
  daysWithProblems: { other: "{count} hari bermasalah" },
  andEarlier: { other: "dan {count} hari sebelumnya" },
  today: "Hari ini",
  uptime: "Ketersediaan {uptime}",
  noDataYet: "Belum ada data",
  meanLatency: "Latensi rata-rata 24 jam terakhir",

  outage: {
    title: { down: "{name} tidak berfungsi", degraded: "{name} mengalami penurunan kinerja" },
    start: { down: "Tidak berfungsi sejak {time}.", degraded: "Kinerja menurun sejak {time}." },
    later: "Gangguan telah berakhir, tetapi kinerja masih menurun. Lama gangguan: {duration}.",
    end: "Durasi: {duration}.",
  },

  notFound: { heading: "Halaman tidak ditemukan", text: "Tidak ada halaman status di alamat ini." },
  noIncident: "Halaman ini tidak menampilkan insiden ini.",
  unlock: { label: "Kata sandi", button: "Buka halaman", wrong: "Kata sandi salah." },
  subscribe: {
    heading: "Berlangganan pembaruan",
    text: "Dapatkan email tentang insiden dan pemeliharaan. Anda mengonfirmasi alamat melalui pesan pertama, dan setiap pesan berisi tautan untuk berhenti berlangganan.",
    address: "Alamat email",
    button: "Berlangganan",
    invalid: "Ini bukan alamat email yang valid.",
  },
  pending: {
    heading: "Periksa kotak masuk Anda",
    text: "Jika alamat ini belum berlangganan, Anda akan menerima pesan berisi tautan. Buka tautan itu untuk mengonfirmasi langganan.",
  },
  limited: {
    heading: "Terlalu banyak permintaan",
    text: "Anda mengirim terlalu banyak permintaan. Coba lagi dalam beberapa menit.",
  },
  confirm: {
    heading: "Konfirmasi langganan Anda",
    text: "Setelah itu Anda akan menerima email tentang insiden dan pemeliharaan {title}.",
    button: "Konfirmasi",
  },
  confirmed: {
    heading: "Anda telah berlangganan",
    text: "Anda akan menerima email tentang insiden dan pemeliharaan {title}. Setiap pesan berisi tautan untuk berhenti berlangganan.",
  },
  unsubscribe: {
    heading: "Berhenti berlangganan",
    text: "Setelah itu Anda tidak akan menerima pesan lagi tentang {title}.",
    button: "Berhenti berlangganan",
  },
  unsubscribed: {
    heading: "Anda telah berhenti berlangganan",
    text: "Anda tidak akan menerima pesan lagi tentang {title}.",
  },

  mail: {
    optIn: {
      subject: "Konfirmasi langganan Anda untuk {title}",
      reason:
        "Alamat ini dimasukkan untuk menerima pesan tentang insiden, gangguan, dan pemeliharaan {title} ({url}).",
      confirm:
        "Jika itu Anda, konfirmasikan dalam waktu tiga hari. Jika bukan, abaikan pesan ini: tanpa konfirmasi tidak akan ada pesan lain.",
      button: "Konfirmasi langganan",
    },
    newIncident: "Insiden baru",
    maintenance: "Pemeliharaan",
    maintenanceOver: "Pemeliharaan selesai",
    began: "Mulai: {start}.",
    beganAndEnded: "Mulai: {start}. Selesai: {end}.",
    beganAndEnds: "Mulai: {start}. Perkiraan selesai: {end}.",
    changes: { other: "{count} perubahan: {list}" },
    changesOnPage: { other: "{count} perubahan bersamaan pada {title}:" },
    andMore: { other: "dan {count} lainnya" },
    last: "Ini pesan terakhir hari ini, karena pelanggan menerima paling banyak {count} pesan sehari. Halaman menampilkan status terkini.",
    open: "Buka halaman status",
    reason: "Anda menerima pesan ini karena berlangganan {title}.",
  },
};

import type { Texts } from "./texts.ts";

export const texts: Texts<"other"> = {
  colon: ": ",
  comma: ", ",

  summary: {
    none: "Tất cả hệ thống hoạt động bình thường",
    minor: "Sự cố dịch vụ nhỏ",
    major: "Hệ thống gián đoạn một phần",
    critical: "Sự cố dịch vụ nghiêm trọng",
    maintenance: "Dịch vụ đang bảo trì",
  },
  componentStatus: {
    operational: "Hoạt động bình thường",
    under_maintenance: "Đang bảo trì",
    degraded_performance: "Hiệu suất suy giảm",
    major_outage: "Gián đoạn nghiêm trọng",
  },
  incidentStatus: {
    investigating: "Đang điều tra",
    identified: "Đã xác định nguyên nhân",
    monitoring: "Đang theo dõi",
    resolved: "Đã khắc phục",
  },
  maintenanceState: { scheduled: "Đã lên lịch", active: "Đang diễn ra", ended: "Đã hoàn tất" },
  day: { good: "Không có sự cố", partial: "Có sự cố", down: "Gián đoạn", none: "Không có dữ liệu" },

  lastChange: "Thay đổi gần nhất: {time}",
  since: "Từ {time}",
  span: "{from} – {to}",
  edited: "đã sửa: {time}",
  affected: "Ảnh hưởng: {components}",
  lessThan: "dưới {amount}",
  timeZone: "Múi giờ: {zone}",
  ownTimeZone: "Thời gian theo múi giờ của bạn: {zone}",
  notRefreshed: "Không thể làm mới trang kể từ {time}.",

  currentIncidents: "Sự cố hiện tại",
  maintenanceInProgress: "Đang bảo trì",
  components: "Thành phần",
  scheduledMaintenance: "Bảo trì theo lịch",
  past: "Sự cố và bảo trì trước đây",
  noneInDays: { other: "Không có trong {count} ngày qua." },
  earlierUpdates: { other: "{count} cập nhật trước đó" },
  endedMaintenance: "Bảo trì, {span}",
  atomFeed: "Nguồn cấp Atom",

  colorsOfDays: "Màu của các ngày",
  utcDays: "Ngày tính theo UTC",
  history: { other: "Lịch sử {count} ngày: {problems}" },
  noDaysWithProblems: "không có ngày nào có sự cố",
  daysWithProblems: { other: "{count} ngày có sự cố" },
  andEarlier: { other: "và {count} ngày trước đó" },
  today: "Hôm nay",
  uptime: "Thời gian hoạt động {uptime}",
  noDataYet: "Chưa có dữ liệu",
  meanLatency: "Độ trễ trung bình trong 24 giờ qua",

  outage: {
    title: { down: "{name} ngừng hoạt động", degraded: "{name} bị suy giảm hiệu suất" },
    start: { down: "Ngừng hoạt động từ {time}.", degraded: "Hiệu suất suy giảm từ {time}." },
    later: "Gián đoạn đã kết thúc, nhưng hiệu suất vẫn suy giảm. Thời gian gián đoạn: {duration}.",
    end: "Kéo dài {duration}.",
  },

  notFound: { heading: "Không tìm thấy trang", text: "Không có trang trạng thái nào tại địa chỉ này." },
  noIncident: "Trang này không hiển thị sự cố này.",
  unlock: { label: "Mật khẩu", button: "Mở trang", wrong: "Mật khẩu không đúng." },
  subscribe: {
    heading: "Đăng ký nhận cập nhật",
    text: "Nhận email về sự cố và bảo trì. Thư đầu tiên dùng để xác nhận địa chỉ. Mỗi thư có liên kết hủy đăng ký.",
    address: "Địa chỉ email",
    button: "Đăng ký",
    invalid: "Đây không phải là địa chỉ email hợp lệ.",
  },
  pending: {
    heading: "Hãy kiểm tra hộp thư",
    text: "Nếu địa chỉ này chưa được đăng ký, bạn sẽ nhận được thư có liên kết. Hãy mở liên kết đó để xác nhận đăng ký.",
  },
  limited: { heading: "Quá nhiều yêu cầu", text: "Bạn đã gửi quá nhiều yêu cầu. Hãy thử lại sau vài phút." },
  confirm: {
    heading: "Xác nhận đăng ký",
    text: "Sau đó bạn sẽ nhận email về sự cố và bảo trì của {title}.",
    button: "Xác nhận",
  },
  confirmed: {
    heading: "Đã đăng ký",
    text: "Bạn sẽ nhận email về sự cố và bảo trì của {title}. Mỗi thư đều có liên kết để hủy đăng ký.",
  },
  unsubscribe: {
    heading: "Hủy đăng ký",
    text: "Sau đó bạn sẽ không nhận thêm thư nào về {title}.",
    button: "Hủy đăng ký",
  },
  unsubscribed: { heading: "Đã hủy đăng ký", text: "Bạn sẽ không nhận thêm thư nào về {title}." },

  mail: {
    optIn: {
      subject: "Xác nhận đăng ký {title}",
      reason: "Địa chỉ này đã được nhập để nhận thư về sự cố, gián đoạn và bảo trì của {title} ({url}).",
      confirm:
        "Nếu đó là bạn, hãy xác nhận trong vòng ba ngày. Nếu không, hãy bỏ qua thư này: không có xác nhận thì sẽ không có thư nào khác.",
      button: "Xác nhận đăng ký",
    },
    newIncident: "Sự cố mới",
    maintenance: "Bảo trì",
    maintenanceOver: "Bảo trì đã kết thúc",
    began: "Bắt đầu: {start}.",
    beganAndEnded: "Bắt đầu: {start}. Kết thúc: {end}.",
    beganAndEnds: "Bắt đầu: {start}. Dự kiến kết thúc: {end}.",
    changes: { other: "{count} thay đổi: {list}" },
    changesOnPage: { other: "{count} thay đổi cùng lúc trên {title}:" },
    andMore: { other: "và {count} mục khác" },
    last: "Đây là thư cuối cùng trong hôm nay, vì mỗi người đăng ký nhận tối đa {count} thư mỗi ngày. Trang cho biết trạng thái hiện tại.",
    open: "Mở trang trạng thái",
    reason: "Bạn nhận được những thư này vì đã đăng ký {title}.",
  },
};

import type { Language } from '../language.ts'

/** Mails and text messages leave the accents out; bare `ma` is a word, a name and a state elsewhere. */
export const vietnamese: Language = {
  code: '=mã, ma xac, ma otp, ma bao mat, ma dang nhap, ma kich hoat, ma pin, ma cua ban',
  password: 'mật khẩu, mat khau',
  key: '=khóa',
  verificationCode: `
    mật khẩu một lần, mật khẩu dùng một lần, mật khẩu tạm thời, mật khẩu otp, ma xac thuc, ma xac minh,
    ma xac nhan, ma otp, ma bao mat, ma kich hoat
  `,
  verify: 'xác minh, xác thực, kích hoạt',
  confirm: 'xác nhận',
  signIn: 'đăng nhập, đăng ký',
  reset: 'đặt lại, khôi phục, mật khẩu mới',
  secret: 'bảo mật, otp, chữ số, an toàn, tạm thời, một lần',
  access: 'truy cập',
  purpose: 'xác nhận email, xác nhận tài khoản, xác nhận địa chỉ',
  otherwise: `
    giảm giá, đơn hàng, =đơn, bưu chính, bưu điện, vận đơn, khách hàng, đặt chỗ, khuyến mãi, =vùng,
    =lỗi, qr, =vạch, giới thiệu, ưu đãi, sản phẩm, =nguồn, số thuế, quốc gia, nhân viên
  `,
  yours: '=là, =này, sau, =nhập, sử dụng, =dùng, của bạn, của quý khách',
  is: 'la, =là, sau, =này, sau đây',
  enter: 'nhap, nhap ma, =nhập, =dùng, sử dụng, =điền, =gõ',
  names: `
    đơn hàng, hóa đơn, khách hàng, tài khoản, =số, điện thoại, =đt, =gọi, =thẻ, vận đơn, chuyến bay,
    =ghế, =phòng, tổng đài, hotline
  `,
  time: '=phút, =giờ, =ngày, =giây',
  unit: '=tuần, =tháng, =năm, =đồng, =đ, =vnđ, =điểm, =người',
  warns: 'hiệu lực, hết hạn, không chia sẻ, đừng chia sẻ, không cung cấp, bất kỳ ai, bỏ qua',
  offer: 'giảm giá, khuyến mãi',
  booking: 'đặt chỗ, chuyến bay',
  links: {
    confirm: 'xác minh(?! thành công)|xác nhận(?! đơn)|xác thực|kích hoạt(?! thành công)|hoàn tất đăng ký',
    sign_in: 'đăng nhập',
    reset: 'đặt lại|khôi phục|(?:mật khẩu mới)|(?:đổi|tạo|quên) mật khẩu',
    invite: 'lời mời|được mời|đã mời|mời bạn',
    join: 'chấp nhận|tham gia',
    deny: '\\bnếu .{0,40}không',
    report: 'mật khẩu .{0,20}đã (?:được )?(?:thay đổi|đổi|cập nhật)|đăng nhập mới|thiết bị mới',
    unsubscribe: 'hủy đăng ký',
    legal: 'xem .{0,20}trình duyệt',
  },
}

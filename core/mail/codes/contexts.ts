import { withoutAccents } from './plain.ts'

/** Where a number is not proof of identity, whatever it is called there, unless it is called a security code. */
export const OFFER = words(
  '\\d ?%|discount|coupon|voucher|promo|checkout|\\boff your|refer (?:a|your)|referr|\\bearn\\b|' +
    'with friends|rabatt|gutschein|réduction|remise|descuento|cupón|desconto|cupom|sconto|korting|zniżk|' +
    'rabat|indirim|скидк|промокод|знижк|خصم|giảm giá|khuyến mãi|diskon|折扣|优惠|優惠|クーポン|割引|할인|쿠폰|alennus|' +
    'sleva|slevu|kedvezmény|reducere',
)

export const BOOKING = words(
  'flight|boarding|itinerary|check-in|check-out|hotel|reservation|booking(?!\\.com)|passenger|\\bflug|' +
    'buchung|\\bvol\\b|réservation|vuelo|reserva\\b|\\bvolo\\b|prenotazion|\\bvoo\\b|рейс|бронир|航班|预订|預訂|' +
    'フライト|予約|항공|예약|vlucht|boeking|rezerwac|uçuş|rezervasyon|bokning|حجز|đặt chỗ|pickup|pick-up',
)

export const MEETING = words(
  'meeting|webinar|conference|dial-in|dial in|join online|besprechung|réunion|reunión|reunião|riunione|' +
    '会议|會議|会議|회의|vergadering|spotkani|toplantı|встреч',
)

function words(source: string): RegExp {
  return new RegExp(withoutAccents(source))
}

import type { Language } from '../language.ts'

export const english: Language = {
  code: 'code, codes, passcode, passcodes, passphrase, PIN, PINs, pin code, your pin, pin is',
  password: 'password, passwords, access phrase, login phrase',
  key: 'key, token, phrase, word, words, login words',
  verificationCode: `
    OTP, OTPs, otp code, your otp, otp is, otp for, one-time pass*, one-time pin, one-time pins,
    one-time code, one-time password*, mTAN, TAN, smsTAN, pushTAN, verification number,
    verification pin, verification word*, verification phrase*, security number, security pin,
    login pin, sign-in pin, sign-in phrase, secret phrase, sign-in word*, login number, magic word*,
    confirmation word*, temporary password, initial password, generated password, secret word,
    passphrase is
  `,
  verify: `
    verify, verifies, verified, verifying, verification, verif code, authenticat*, activat*, validat*,
    two-factor, 2fa, mfa, two-step, 2-step, multi-factor, passwordless
  `,
  confirm: 'confirm, confirms, confirming, confirmation',
  signIn: `
    sign in, sign-in, signin, signing in, sign on, sign-on, signed in, log in, login, logging in,
    logged in, log-on, logon, sign up, sign-up, signup, signing up, finish signing
  `,
  reset: 'reset, resets, resetting, new password, forgot your password, forgotten password',
  secret: `
    secur*, one-time, single-use, temporary, identi*, digit, otp, guard, magic, backup, unlock*,
    recover*, pairing, pair, registration, registering, verifying
  `,
  access: 'access, pass, authori*, entry',
  purpose: `
    confirm your, confirm that, confirm this, confirm it, confirm the email, confirm it's you,
    prove it's you, identity, link a device, link your, new device, unrecognized device,
    unrecognised device, one time password, create your account, finish creating, finish setting up,
    email address, prove that, prove you, prove this, really you, need to know it
  `,
  otherwise: `
    postal, post, zip, country, area, dial, dialing, calling, dress, qr, bar, promo, promotion,
    promotional, discount, coupon, voucher, gift, gift card, gift card's, reward, rewards, referral,
    refer, source, error, status, exit, http, sort, swift, bic, colour, color, product, item, model,
    tax, customer, client, booking, reservation, tracking, order, ticket, airport, currency, language,
    charge, morse, genetic, building, penal, civil, studio, review, base, snippet, course, module,
    subject, class, school, store, redemption, redeem, claim, pickup, pick-up, collection, locker,
    door, gate, machine, department, cost, budget, project, style, batch, reason, response, diagnosis,
    diagnostic, procedure, billing, mcc, license, licence, suite, test, tests, sample, samples, length,
    format, scam, scams, of conduct, of ethics, of practice, of honor, of honour, return, returns,
    cheat, hs, icd, cpt, ifsc, micr, host, legacy, friend, invite, invitation, offer, savings, sale,
    special, meeting, webinar, dial-in, conference, participant, auth approval, approval, sku,
    time zone, plate, region, bonus, event, entrance, parking, vendor, merchant, bank, branch, routing,
    purchase, delivery, shipping, pre-order, presale, pre-sale, warranty, product key, upc, guest,
    table, raffle, prize, scratch, lottery, survey, exam, quiz, dealer, creator, influencer,
    ambassador, rebate, loan, mortgage, tariff, commodity, naics, sic, cost centre, gl, ledger, job,
    position, requisition, vin, engine, trouble, fault, blink, beep, hex, pantone, paint, ral, wifi,
    wi-fi, router, alarm, vaccine, lot, card
  `,
  yours: "your, this, the, following, enter, use, here is, here's, my, new, type, a, requested",
  is: 'is, as, are, be, below, following, here, was, reads, equals, as follows',
  enter: `
    enter, entering, use, using, type, typing, input, copy, paste, punch in, key in, put in, fill in,
    tap in, reply with, sign in with, log in with, give this number to, type in, tell them
  `,
  names: `
    order, invoice, ticket, tracking, customer, client, account, acct, a/c, reference, ref, case,
    request, booking, reservation, flight, seat, gate, room, transaction, receipt, policy, membership,
    patient, contract, phone, mobile, tel, telephone, call, dial, fax, text, zip, postcode, street,
    suite, box, po box, bus, version, build, model, serial, isbn, sku, vat, ein, id, card, ending,
    ending in, ending with, ends in, ends with, starting with, digits, since, copyright, year, issue,
    pull request, pr, commit, extension, ext, license, licence, registration, registered, shipment,
    parcel, package, item, product, article, floor, unit, apt, port, page, employee, student, document,
    level, over, no, nr, number, num, meeting id, conference id, webinar id, bug, rfc, revision, patch,
    line, lines, section, chapter, room no, diagnostic, zip code, postal code, error, status, auth,
    approval, batch, terminal, merchant, from, to, kernel
  `,
  time: 'minute*, min, mins, hour*, hr, hrs, day, days, second, seconds, sec, secs',
  unit: `
    h, weeks, week, months, month, years, year, times, people, users, customers, members, points,
    miles, followers, views, items, messages, stars, reviews, jobs, pages, words, steps, percent,
    per cent, kb, mb, gb, tb, kwh, km, kg, mm, cm, px, usd, eur, gbp, inr, chf, sek, nok, dkk, pln,
    czk, jpy, cny, rub, uah, brl, vnd, krw, aed, sar, dollars, dollar, euros, euro, pounds, bytes,
    lines, files, lbs, ft, feet, credits, coins, gmt, utc
  `,
  warns: `
    do not share, don't share, never share, not share this, do not forward, don't forward,
    keep it to yourself, with anyone, to anyone, never ask, if you did not, if you didn't,
    if this wasn't you, wasn't you, did not request, didn't request, not request this, not requested,
    ignore this, safely ignore, expires in, expire in, valid for, expires after, will expire
  `,
  offer: `
    discount*, coupon*, voucher*, promo, promotion, promotional, % off, off your, refer a, refer your,
    referr*, earn, with friends, gift card*, gift certificate*, giveaway, sweepstake*, cashback,
    free shipping, at checkout, redeem
  `,
  booking: `
    flight*, boarding, itinerary, check-in, check-out, hotel, reservation, reservations, booking,
    passenger*, pickup, pick-up, airline*, pnr, arrival, departure, entrance, venue, your ticket,
    your tickets, e-ticket
  `,
  meeting: `
    meeting, meetings, webinar, conference, dial-in, join online, join by phone, zoom meeting,
    google meet, meet.google
  `,
  receipt: `
    receipt, merchant, subtotal, visa, mastercard, amex, total paid, amount paid, charged, approved
  `,
  address: `
    road, street, avenue, ave, nagar, india, near, district, dist, sector, colony, plot, floor, tower,
    lane, marg, pincode, postcode, town, village, taluk, state, city
  `,
  links: {
    confirm:
      'verif(?!ied|ies|ication (?:code|number))|confirm(?:ation)? your e-?mail|confirm(?!ed|ation (?:of|number))|activat(?!ed|ions?\\b.{0,12}fee)|validat(?!ed)|double opt|complete (?:your |the )?(?:sign|regist)|finish (?:sign|setting|your regist)|authenticat',
    sign_in: 'sign(?:ing)?[ -]?(?:in|on)\\b|log(?:ging)?[ -]?(?:in|on)\\b|magic[ -]link',
    reset:
      'reset|recover (?:your|access|the)|(?:account|password) recovery|recovery link|(?:new|change|choose|create|set|pick|enter|forgot\\w*|restore|update)\\b.{0,20}pass(?:word|phrase|code)',
    invite: 'invitation|invited|invites you|has invited|wants you to join',
    join: 'accept|join',
    deny: "if .{0,40}(?:\\bnot\\b|n't)(?! (?:yet|already))|(?:not|n't) (?:you|me)\\b",
    report:
      "(?:password|e-?mail|address|account|phone|number)\\b.{0,40}\\b(?:was|has been|have been|were) |you(?:'ve| have)? (?:changed|updated|reset|verified|confirmed) |(?:new|recent|unusual|suspicious|successful|failed) .{0,12}(?:sign|log)|(?:new|unrecognized) device|(?:sign|log)[ -]?(?:in|on) (?:from|detected|alert|attempt|on)|(?:changed|updated|confirmed|verified|activated)[.!]?$",
    unsubscribe: 'unsubscri|opt[ -]out|preferences',
    legal:
      'privacy|terms of|terms and|terms &|imprint|help cent|(?:view|open|read|see)\\b.{0,20} (?:in (?:your |a |the )?(?:web ?)?browser|online)|(?:web|online) version',
  },
}

import { expect, test } from '@jest/globals'
import { READING_LIMITS } from '../../core/limits.ts'
import { findIn } from '../../reading/read.ts'

/*
 * Names of services are words of the lexicon in some language: banks, posts, airlines, tickets, meetings. They say
 * nothing about what a mail brings.
 */

/** Of a hundred texts with a name, as many may be read otherwise: "Bank of America" in Turkish, which has a bank code. */
const OTHERWISE_PERCENT = 0.7

const NAMES =
  `1Password,365 Labs,AOL,AT&T,Adobe,Aer Lingus,Air France,Airbnb,Allegro,Amazon,American Airlines,Apple,
Asana,Atlassian,BankID,Bank of America,Barclays,Best Buy,Bitpanda,BlaBlaCar,Bolt,Booking.com,Box,British Airways,
Capital One,Cash App,Checkout.com,Citi,Cloudflare,Code42,Coinbase,Commerzbank,Correos,Coursera,Crypto.com,DHL,DPD,
Deliveroo,Delta,Deutsche Bank,DigiD,Discover,Disney+,DocuSign,Dropbox,Duo,EE,Epic Games,Etsy,Eventbrite,Eventim,
Expedia,FedEx,Figma,Fiverr,FranceConnect,GMX,GitHub,GitLab,Glovo,GoDaddy,Google,Gov.uk,Grab,H&M,HBO Max,HSBC,
Home Depot,Hotels.com,ID.me,IKEA,ING,IRS,Indeed,Instagram,Interac,Jira,Just Eat,KakaoTalk,Kayak,Klarna,Kraken,LINE,
La Banque Postale,LastPass,Lidl,Lieferando,Lime,LinkedIn,Lloyds Bank,Lufthansa,Mailchimp,Match.com,Meetup,Mercari,
Microsoft,MitID,Monzo,Moodle,N26,NHS,Netflix,Nintendo,Notion,Nubank,O2,Okta,Orange,Otto,PayPal,Paytm,Pix,PlayStation,
Post Office,PostNL,Poste Italiane,Proton,Rakuten,Reddit,Revolut,Royal Mail,Ryanair,SAP,SPID,Santander,Shop Pay,
Shopify,Signal,Sky,Slack,Snapchat,Sparkasse,Spotify,Square,Starling Bank,Steam,Stripe,Swish,T-Mobile,Target,Teams,
Telegram,Temu,Three,Ticketmaster,Tier,TikTok,Tinder,Trello,Turkish Airlines,Twilio,UPS,USPS,Uber,Uber Eats,Udemy,
United Airlines,Verizon,Vinted,Vipps,Vodafone,WEB.DE,Walmart,Wells Fargo,WhatsApp,Wise,Wix,WordPress,X,Xbox,Yahoo!,
YouTube,Zalando,Zelle,Zoom`
    .replaceAll('\n', '')
    .split(',')

const LINK = 'https://click.example/v/aB3xK9mQ2vLr8TzN?t=kq8A7741xx'

/** A subject and a text with `NAME`, and what is found in them: a code, and a kind of action. */
const TEXTS: [subject: string, text: string, found: string][] = [
  ['Your NAME verification code', 'Your NAME verification code is 482913.', '482913'],
  ['NAME', 'NAME code: 4821', '4821'],
  ['NAME', '482913 is your NAME code', '482913'],
  ['NAME: your code', 'Your NAME code is 4821. Never share this code.', '4821'],
  ['Sign in to NAME', 'Hi Ann,\n\nuse this code to sign in to NAME:\n\n482913\n\nThe NAME team', '482913'],
  ['NAME', 'NAME security code: 482913. Valid for 10 minutes.', '482913'],
  ['Ihr NAME-Code', 'Ihr NAME-Bestätigungscode lautet 482913. Geben Sie ihn nicht weiter.', '482913'],
  ['NAME', 'Votre code NAME est 482913.', '482913'],
  ['NAME', 'Tu código de NAME es 482913. No lo compartas.', '482913'],
  ['NAME', 'NAME: 482913 — ваш код подтверждения', '482913'],
  ['NAME', '【NAME】您的验证码是482913，请勿泄露。', '482913'],
  ['NAME', 'NAME doğrulama kodunuz: 482913', '482913'],
  ['Verify your NAME account', `Hi Ann,\n\nverify your NAME account: ${LINK}\n\nThe NAME team`, 'confirm'],
  ['Sign in to NAME', `Hi Ann,\n\nclick to sign in to NAME: ${LINK}\n\nThe NAME team`, 'sign_in'],
  ['Reset your NAME password', `Hi Ann,\n\nreset your NAME password: ${LINK}\n\nThe NAME team`, 'reset'],
  ['Bob invited you to NAME', `Bob invited you to join NAME. Accept the invitation: ${LINK}`, 'invite'],
  ['Confirm your email for NAME', `Please confirm your email address to join NAME: ${LINK}`, 'confirm'],
  ['Your NAME password was changed', `It was changed today.\n\nIf this was not you, reset it: ${LINK}`, ''],
  ['New sign-in to NAME', `We noticed a new sign-in to your NAME account from Berlin, 10115: ${LINK}`, ''],
  ['Your NAME receipt', `Order 48291377\nTotal: $48.29\n\nView your order: ${LINK}\n\nNAME`, ''],
]

test('the name of a service says nothing', () => {
  const otherwise = NAMES.flatMap((name) =>
    TEXTS.flatMap(([subject, text, expected]) => {
      const written = { subject: subject.replaceAll('NAME', name), text: text.replaceAll('NAME', name) }
      const { codes, actionLink } = findIn({ ...written, html: null, isTextOfHtml: false }, READING_LIMITS)
      const found = [...codes, ...(actionLink === null ? [] : [actionLink.kind])].join()
      return found === expected ? [] : [[written.subject, written.text, found]]
    }),
  )
  if (otherwise.length > (NAMES.length * TEXTS.length * OTHERWISE_PERCENT) / 100)
    expect(otherwise).toEqual([])
})

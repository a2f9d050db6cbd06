/** A name needs its semicolon: "?a=1&copy=2" is a query, whatever old browsers made of it. */
const ENTITY = /&(?:#(\d{1,7});?|#x([0-9a-f]{1,6});?|([a-z]{2,8});)/gi

const NAMED = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    zwnj: '',
    zwj: '',
    shy: '',
    middot: '·',
    bull: '•',
    ndash: '-',
    mdash: '-',
    hyphen: '-',
    colon: ':',
    num: '#',
    copy: '©',
    reg: '®',
    euro: '€',
    pound: '£',
    yen: '¥',
    laquo: '«',
    raquo: '»',
    ldquo: '“',
    rdquo: '”',
    lsquo: '‘',
    rsquo: '’',
    hellip: '…',
    szlig: 'ß',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    aring: 'å',
    aelig: 'æ',
    oslash: 'ø',
    ccedil: 'ç',
    ntilde: 'ñ',
    atilde: 'ã',
    otilde: 'õ',
    agrave: 'à',
    egrave: 'è',
    igrave: 'ì',
    ograve: 'ò',
    ugrave: 'ù',
    aacute: 'á',
    eacute: 'é',
    iacute: 'í',
    oacute: 'ó',
    uacute: 'ú',
    acirc: 'â',
    ecirc: 'ê',
    icirc: 'î',
    ocirc: 'ô',
    ucirc: 'û',
    euml: 'ë',
    iuml: 'ï',
    scaron: 'š',
  }),
)

/** Decodes the character references that mails use; an unknown one stays as it is. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? NAMED.get(name.toLowerCase()) ?? whole
    const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** Names that programs use for charsets that the WHATWG Encoding Standard knows by other names. */
const ALIASES: Record<string, string> = {
  utf8mb4: 'utf-8',
  cp65001: 'utf-8',
  'utf-8-mac': 'utf-8',
  cp819: 'iso-8859-1',
  ibm819: 'iso-8859-1',
  cp932: 'shift_jis',
  'x-sjis-jp': 'shift_jis',
  cp936: 'gbk',
  ms936: 'gbk',
  'windows-936': 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  cp950: 'big5',
  ms950: 'big5',
  cp51932: 'euc-jp',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  jis: 'iso-2022-jp',
  hz: 'hz-gb-2312',
  'utf-16-be': 'utf-16be',
  'utf-16-le': 'utf-16le',
  'ucs-2': 'utf-16',
  'iso-10646-ucs-2': 'utf-16',
  unicode: 'utf-16',
}

/**
 * Names of ASCII say nothing about bytes above 127: programs write them without looking at the
 * text.
 */
const ASCII = /^(?:us-?)?ascii$|^ansi_x3\.4|^iso646|^iso-ir-6$|^c$|^7-?bit$|^default$/

/** Whether the name says how to read bytes above 127. */
export function isInformative(charset: string | undefined): charset is string {
  return charsetLabel(charset) !== undefined
}

/**
 * Returns the charset's name in one spelling, in lower case: "cp-1252", "win1252" and
 * "windows-1252" are one charset. undefined if the name is missing or says nothing about bytes
 * above 127.
 */
export function charsetLabel(charset: string | undefined): string | undefined {
  if (charset === undefined || charset.length > NAME_MAX) return undefined
  if (labels.has(charset)) return labels.get(charset)
  const label = normalized(charset)
  if (labels.size === LABELS_MAX) labels.clear()
  labels.set(charset, label)
  return label
}

/** The labels of names that were asked for: a header may have thousands of encoded words. */
const labels = new Map<string, string | undefined>()
const LABELS_MAX = 1000
/** No charset has a longer name. */
const NAME_MAX = 100

function normalized(charset: string): string | undefined {
  const name = charset
    .slice(0, 2 * NAME_MAX)
    .replaceAll(/^[\s"'<]+|[\s"'>;,]+$/g, '')
    .toLowerCase()
  if (name === '' || ASCII.test(name)) return undefined
  if (Object.hasOwn(ALIASES, name)) return ALIASES[name]
  return name
    .replace(/^(?:cp|win|windows|microsoft-cp|ms)[-_]?(125\d)$/, 'windows-$1')
    .replace(/^(?:iso-?)?(?:latin-?)?8859[-_](\d+)(?:[-_].*)?$/, 'iso-8859-$1')
    .replace(/^(?:x-)?_?(?:cs)?iso-?2022-?(jp|kr).*/, 'iso-2022-$1')
    .replace(/^gb_?2312.*/, 'gbk')
    .replace(/^(?:ks_?c_?5601|ksc5601).*/, 'euc-kr')
    .replace(/^(?:cs|ibm|cp|oem|x-cp|dos)[-_]?(?:pc|ibm|cp)?-?(4\d\d|7\d\d|8\d\d|1[01]\d\d)\w*$/, 'cp$1')
}

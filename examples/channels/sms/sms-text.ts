import type { StyledText } from '../../../src/channels/text/styled-text.ts'

/** Signs of GSM 03.38; those of its extension count twice. Any other sign has the whole text sent in UCS-2. */
const single = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/
const double = /[\^{}\\[~\]|€]/g

/** Characters of a message that is one of several: 7 bits each, or 16. A message alone has 160 or 70. */
const perSegment = { gsm: 153, ucs: 67 }

/** The largest message: ten segments. Twilio refuses more than 1,600 characters, and carriers lose what is that long. */
export const mostUnits = 10 * perSegment.gsm

/** Length of a message in characters of 7 bits, so that one limit is good for both encodings. */
export function unitsOf(text: string): number {
  if (single.test(text)) return text.length + (text.match(double)?.length ?? 0)
  return Math.ceil((text.length * perSegment.gsm) / perSegment.ucs)
}

/** Signs of typographers, any of which would halve what a segment holds, as the ones that phones have. */
const simple: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '•': '-',
  '\t': ' ',
  '\u00a0': ' ',
}

/** A text without looks; a link is its words, and the address behind them. */
export function writeSms({ text, spans }: StyledText): string {
  let written = ''
  let from = 0
  for (const { start, end, url } of spans.toSorted((one, other) => one.end - other.end)) {
    if (url === undefined || url === text.slice(start, end)) continue
    written += `${text.slice(from, end)} (${url})`
    from = end
  }
  return (written + text.slice(from)).replace(/[‘’“”–—…•\t\u00a0]/g, (sign) => simple[sign] ?? sign)
}

import { visibleError } from '../model/log-entry.ts'
import type { Scope } from '../model/scope.ts'

/** Use that a client makes of an address: a link for the visitor, or media that it shows. */
export type AddressUse = 'link' | 'media'

/**
 * Schemes that lead to a page or to a person. Those that are not listed run code in the page that shows the address
 * (`javascript:`), hold a page themselves (`data:`), or reach for the visitor's machine (`file:`).
 */
const safeSchemes = new Set([
  ...['http', 'https', 'ftp', 'ftps', 'sftp', 'ws', 'wss', 'about'],
  ...['mailto', 'tel', 'sms', 'smsto', 'mms', 'callto', 'facetime', 'sip', 'sips', 'im', 'xmpp'],
  ...['whatsapp', 'tg', 'viber', 'skype', 'msteams', 'matrix', 'irc', 'ircs', 'geo', 'maps', 'webcal'],
  ...['magnet', 'bitcoin', 'ethereum', 'lightning', 'upi', 'market', 'itms', 'itms-apps'],
])

/** A scheme as browsers find it: they pass over blanks before it, and over tabs and line ends within. */
const schemePattern = /^[\s\p{Cc}]*([a-z][a-z\d+.\-\t\r\n]*):/iu

/** Media types that can hold no page: a picture in SVG, like other XML, may hold scripts. */
const media = /^\s*(?:image|audio|video|font)\/(?![^;,]*(?:svg|xml))[^;,]*[;,]/iu

/** The scheme of an address, in small letters; undefined for one that is relative. */
export function schemeOf(address: string): string | undefined {
  const [, scheme] = schemePattern.exec(address) ?? []
  return scheme?.replace(/[\t\r\n]/g, '').toLowerCase()
}

/** Whether an address may be sent to a client, written by the author of the flow or by a visitor. */
export function isSafeAddress(address: string, use: AddressUse): boolean {
  return (
    hasSafeScheme(address, use) &&
    (!/[&\\]/.test(address) || hasSafeScheme(decodeMarkdownAddress(address), use))
  )
}

function hasSafeScheme(address: string, use: AddressUse): boolean {
  const scheme = schemeOf(address)
  if (scheme === undefined || safeSchemes.has(scheme)) return true
  return scheme === 'data' && use === 'media' && media.test(dataTypeIn(address))
}

/** Browsers pass over line ends and other controls anywhere in an address. */
function dataTypeIn(address: string): string {
  return address.slice(address.indexOf(':') + 1).replace(/\p{Cc}/gu, '')
}

const named: ReadonlyMap<string, string> = new Map([
  ['colon', ':'],
  ['Tab', '\t'],
  ['NewLine', '\n'],
])

/** An address as a reader of markdown gives it to a browser, as far as its scheme goes. */
export function decodeMarkdownAddress(address: string): string {
  return address
    .replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
      if (name !== undefined) return named.get(name) ?? whole
      const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
    })
    .replaceAll('\\', '')
}

/** An address as it may be sent: an unsafe one is empty, with a log. */
export function safeAddress(address: string, use: AddressUse, { log }: Pick<Scope, 'log'>): string {
  if (isSafeAddress(address, use)) return address
  const description = 'An address was left out: clients may not open what it leads to'
  log(visibleError({ description, details: address.slice(0, reported) }))
  return ''
}

/** Characters of an unsafe address that are quoted in a log. */
const reported = 100

/** Address of a sender or recipient, with a name. */
interface Mailbox {
  readonly email: string
  readonly name?: string
}

const atom = String.raw`[^\s\p{Cc}<>()[\]\\.,;:@"]+`
const local = new RegExp(`^${atom}(?:\\.${atom})*$`, 'u')
const host = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u
/** Characters of an address that mail servers have to take. */
const longest = 254

/**
 * Reads `a@b` or `Name <a@b>` (docs/behaviour/integrations.md, "Email"); undefined for anything else, and for more than one. A
 * name is on one line, and holds no angle brackets: the address would be ambiguous.
 */
export function readMailbox(text: string): Mailbox | undefined {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  const open = line.lastIndexOf('<')
  if (open === -1) return isAddress(line) ? { email: line } : undefined
  const email = line.slice(open + 1, -1).trim()
  const name = withoutQuotes(line.slice(0, open).trim())
  if (!line.endsWith('>') || !isAddress(email) || /[<>]/.test(name)) return undefined
  return { email, ...(name !== '' && { name: name.toWellFormed() }) }
}

/** Writes a mailbox so that it reads as this one and no other. */
export function writeMailbox({ email, name }: Mailbox): string {
  return name === undefined ? email : `"${name.replace(/["\\]/g, '\\$&')}" <${email}>`
}

function isAddress(text: string): boolean {
  if (text.length > longest) return false
  const at = text.lastIndexOf('@')
  return at > 0 && local.test(text.slice(0, at)) && host.test(text.slice(at + 1))
}

function withoutQuotes(name: string): string {
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"')
  return isQuoted ? name.slice(1, -1).replace(/\\(.)/gu, '$1').trim() : name
}

import { type FlowFinding, sentenceOf } from '../../tooling/lint/finding.ts'
import { type Console, oneOf } from '../command.ts'
import { countOf, oneLine, say } from '../output/plain-text.ts'
import { type AccountUse, neededAccounts } from './account-uses.ts'

/** A flow that was written, and what is to be done about it. */
export interface ImportedFlow {
  readonly source: string
  readonly file: string
  readonly id: string
  /** Its address is `/f/` and this. */
  readonly publicId: string
  readonly name?: string
  /** Whether it can be published as it is, once its accounts are there. */
  readonly ready: boolean
  /** Columns of the export that held something and are not in the file. */
  readonly leftOff: readonly string[]
  readonly findings: readonly FlowFinding[]
  /** Flows that it links to; in a report those alone that were not written along. */
  readonly links: readonly string[]
  readonly accounts: readonly AccountUse[]
}

/** An export that could not be taken. */
export interface Refusal {
  readonly source: string
  readonly message: string
}

/** How much is said, and for whom. */
export interface ReportTerms {
  readonly format: 'pretty' | 'json'
  /** Whether single files and findings go unsaid. */
  readonly isQuiet: boolean
}

/** Options of `parseArgs` that `reportTermsOf` reads. */
export const reportOptions = { quiet: { type: 'boolean' }, format: { type: 'string' } } as const

export const reportUsage = `  --quiet       only the summary, without a line for each file and finding
  --format WORD pretty, or json for programs, with the list for CREDENTIALS_FILE as "credentials" (default pretty)`

/** Throws a UsageError. */
export function reportTermsOf({
  quiet = false,
  format = 'pretty',
}: {
  quiet?: boolean
  format?: string
}): ReportTerms {
  return { isQuiet: quiet, format: oneOf('--format', format, ['pretty', 'json']) }
}

interface Import {
  readonly flows: readonly ImportedFlow[]
  readonly refusals: readonly Refusal[]
}

/** Columns whose loss a visitor notices, with the remedy. */
const losses: Readonly<Record<string, string>> = {
  customDomain: 'customDomain (let that domain lead here)',
  whatsAppCredentialsId: 'whatsAppCredentialsId (set up a channel: docs/channels.md)',
}

/** Reports on an import. */
export function tellImport(imported: Import, { format, isQuiet }: ReportTerms, console: Console): void {
  const needed = neededAccounts(imported.flows)
  if (format === 'json') {
    tellPrograms(imported, needed, console)
    return
  }
  if (!isQuiet) for (const flow of imported.flows) tellFlow(flow, console)
  for (const { source, message } of imported.refusals) say(console.warn, `${source}: ${message}`)
  tellSummary(imported, console)
  tellAccounts(needed, console)
}

type Needed = ReturnType<typeof neededAccounts>

function tellPrograms({ flows, refusals }: Import, needed: Needed, { print }: Console): void {
  const listed = flows.map(({ accounts: _, links, ...flow }) => ({ ...flow, missingLinks: links }))
  print(`${JSON.stringify({ flows: listed, refusals, ...needed }, null, 2)}\n`)
}

function tellFlow({ source, file, findings, links }: ImportedFlow, { print, warn }: Console): void {
  say(print, `${source}: written to ${file}`)
  for (const finding of findings)
    say(warn, `${file}: ${finding.severity} at ${finding.pointer}: ${sentenceOf(finding)}`)
  for (const link of links)
    say(
      warn,
      `${file}: links to ${link}, which is not among these flows: import it as well, or remove the link`,
    )
}

function tellSummary({ flows, refusals }: Import, { print }: Console): void {
  const ready = flows.filter((flow) => flow.ready)
  const others = flows.filter((flow) => !flow.ready)
  print(`\nReady: ${countOf(ready.length, 'flow')}\n`)
  for (const flow of ready) print(`  ${titleOf(flow)}\n`)
  if (others.length > 0) print(`Needs work: ${countOf(others.length, 'flow')}\n`)
  for (const flow of others) print(`  ${titleOf(flow)}: ${workIn(flow)}\n`)
  if (refusals.length > 0) print(`Not taken: ${countOf(refusals.length, 'export')}\n`)
  const losing = flows.filter(({ leftOff }) => leftOff.length > 0)
  if (losing.length > 0) print('Left off, as nothing here reads it:\n')
  for (const { publicId, leftOff } of losing)
    print(`  ${oneLine(`${publicId}: ${leftOff.map((column) => losses[column] ?? column).join(', ')}`)}\n`)
}

/** The public id of a flow, with its name where that is another. */
function titleOf({ publicId, name = publicId }: ImportedFlow): string {
  return oneLine(name === publicId ? publicId : `${publicId} ("${name}")`)
}

function workIn({ findings, links }: ImportedFlow): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const parts = [
    ...(errors > 0 ? [countOf(errors, 'error')] : []),
    ...(links.length > 0 ? [`${countOf(links.length, 'link')} to flows that are not here`] : []),
  ]
  return parts.join(', ')
}

function tellAccounts({ accounts, credentials }: Needed, { print }: Console): void {
  if (accounts.length === 0) return
  print(`Needs ${countOf(accounts.length, 'account')}:\n`)
  for (const { type, id, uses } of accounts) {
    print(`  ${oneLine(`${type} ${id}`)}\n`)
    for (const { flow, group, block } of uses) print(`    ${oneLine(`${flow}: ${block} in "${group}"`)}\n`)
  }
  const entries = credentials.map((entry) => `  ${JSON.stringify(entry)}`)
  print('\nCREDENTIALS_FILE, once these variables are set, or their values stand here instead:\n\n')
  print(`[\n${entries.join(',\n')}\n]\n`)
}

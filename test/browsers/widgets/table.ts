import { generations, shortcomings } from './versions.ts'

/** What became of a function: done, not known to the version, or known and not done. */
export type Cell = 'done' | 'unknown' | 'not done'

/** What was found, by version and by the name of the function. */
export type Found = ReadonlyMap<string, ReadonlyMap<string, Cell>>

const signs: Readonly<Record<Exclude<Cell, 'not done'>, string>> = { done: '✓', unknown: '–' }

const title = '## Widgets that were tried\n'

/** The section of a page that tells what was found. */
export function widgetSection(found: Found): string {
  const versions = [...found.keys()]
  const functions = [...(found.values().next().value?.keys() ?? [])]
  const rows = functions.map((name) => [name, ...versions.map((version) => signOf(found, version, name))])
  const notes = shortcomings.map(({ reason }, index) => `${index + 1}. ${reason}`)
  const standIns = generations.map(({ version, of, speaks }) => `- ${version} stands for ${of}: ${speaks}`)
  return `${title}
Unmodified packages \`@typebot.io/js\` from npm, in Chromium against this service, each function by a conversation: one version
for all that ask a server for the same. ✓ works, – the version does not know it, a number is explained below.

${[['', ...versions], versions.map(() => '---').concat('---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

${notes.join('\n')}

${standIns.join('\n')}

Others were tried in November 2026 and not since: 0.0.49, 0.2.45, 0.2.73, 0.2.92, 0.3.14, 0.3.32, 0.3.40, 0.3.61 and 0.9.24. They did what
stands under the one of their generation, but that 0.0.49 knows no streams, that 0.2.45 does not survive a reload, that those before 0.3.20 know no
webhooks and those before 0.3.61 no commands, times and cards, and that 0.2.73 asks for streams at the bare \`apiHost\`, so that no
server but that of its makers can answer. Versions before 0.2 stop at a flow that leaves out settings, parts of a theme or options
of inputs, all of which the editors of their time wrote.
`
}

function signOf(found: Found, version: string, name: string): string {
  const cell = found.get(version)?.get(name) ?? 'unknown'
  if (cell !== 'not done') return signs[cell]
  return String(
    shortcomings.findIndex((of) => of.versions.includes(version) && of.functions.includes(name)) + 1,
  )
}

/** The page with the section as it is now. */
export function withSection(page: string, section: string): string {
  const start = page.indexOf(title)
  const end = page.indexOf('\n## ', start + 1) + 1
  return page.slice(0, start) + section + (end > 0 ? `\n${page.slice(end)}` : '')
}

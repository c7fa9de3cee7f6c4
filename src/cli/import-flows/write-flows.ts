import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { blockRegistry } from '../../blocks/index.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { compileFlow } from '../../engine/compile/compile-flow.ts'
import { problemsOf } from '../../lib/errors.ts'
import { sentenceOf } from '../../tooling/lint/finding.ts'
import { factsOf } from '../../tooling/lint/flow-report.ts'
import { inOneGo, lintFlow } from '../../tooling/lint/lint-flow.ts'
import { unknownSurroundings } from '../../tooling/lint/model/surroundings.ts'
import { type Console, exitCodes, UsageError } from '../command.ts'
import { say } from '../output/plain-text.ts'
import { convertExport } from './convert-export.ts'
import { withDefaultLook } from './default-look.ts'

/** An export, and the subject of its findings. */
export interface Export {
  readonly source: string
  readonly definition: unknown
  /** Public id by the name of its file; that of the definition has precedence. */
  readonly publicId?: string | undefined
}

interface WriteTerms {
  readonly folder: string
  /** Whether files that are there are replaced. */
  readonly isForced: boolean
  /** Whether themes are written with what editors leave to their clients. */
  readonly hasDefaults: boolean
  /** Number of flows that could not be read. */
  readonly unread: number
}

interface FlowFileSummary {
  readonly source: string
  readonly file: string
  readonly names: readonly string[]
  readonly links: readonly string[]
  readonly hasErrors: boolean
}

/** Writes a file a flow, and says what is to be done about them; the code to exit with. */
export async function writeFlows(
  exports: readonly Export[],
  terms: WriteTerms,
  console: Console,
): Promise<number> {
  await mkdir(terms.folder, { recursive: true }).catch((error: Error) => {
    throw new UsageError(`--out can not be written to: ${error.message}`, { cause: error })
  })
  const written: FlowFileSummary[] = []
  for (const exported of exports) {
    console.workingOn?.(exported.source)
    try {
      written.push(await writeFlow(exported, written, terms, console))
    } catch (error) {
      for (const { pointer, message } of problemsOf(error))
        say(console.warn, `${exported.source}: ${pointer && `at ${pointer}: `}${message}`)
    }
  }
  const isLinked = tellMissingLinks(written, console)
  const isWhole = terms.unread === 0 && written.length === exports.length
  const isFine = isWhole && isLinked && !written.some(({ hasErrors }) => hasErrors)
  return isFine ? exitCodes.fine : exitCodes.failed
}

async function writeFlow(
  { source, definition: sent, publicId: ofFile }: Export,
  before: readonly FlowFileSummary[],
  { folder, isForced, hasDefaults }: WriteTerms,
  { print, warn }: Console,
): Promise<FlowFileSummary> {
  const exported = convertExport(sent)
  const converted = hasDefaults ? withDefaultLook(exported) : exported
  const { publicId = ofFile, ...rest } = converted
  const definition = publicId === undefined ? rest : { ...converted, publicId }
  const flow = readDefinition(definition)
  const program = compileFlow(flow, blockRegistry, '')
  const { model, findings } = inOneGo(
    lintFlow({ flow, program, definition, surroundings: unknownSurroundings }),
  )
  const { accounts, links } = factsOf(model)
  const file = `${fileNameOf(flow.publicId ?? flow.id)}.json`
  const rival = before.find((other) => other.file.toLowerCase() === file.toLowerCase())
  if (rival) throw new Error(`would be written to ${file}, as ${rival.source} was`)
  await writeFile(join(folder, file), `${JSON.stringify(definition, null, 2)}\n`, {
    flag: isForced ? 'w' : 'wx',
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new Error(`${join(folder, file)} is there already: use --force to replace it`)
  })
  say(print, `${source}: written to ${join(folder, file)}`)
  for (const finding of findings)
    say(warn, `${file}: ${finding.severity} at ${finding.pointer}: ${sentenceOf(finding)}`)
  if (accounts.length > 0) say(print, `${file}: needs the accounts ${accounts.join(', ')} (CREDENTIALS_FILE)`)
  const hasErrors = findings.some(({ severity }) => severity === 'error')
  return { source, file, names: [flow.id, flow.publicId ?? flow.id], links, hasErrors }
}

/** Whether every link leads to a flow that was written along. */
function tellMissingLinks(written: readonly FlowFileSummary[], { warn }: Console): boolean {
  const names = new Set(written.flatMap((flow) => flow.names))
  let isWhole = true
  for (const { file, links } of written) {
    for (const link of links.filter((name) => !names.has(name))) {
      isWhole = false
      say(
        warn,
        `${file}: links to ${link}, which is not among these flows: import it as well, or remove the link`,
      )
    }
  }
  return isWhole
}

/** A public id may hold separators of paths of any system; the file has to stay in its folder. */
function fileNameOf(id: string): string {
  return id.replace(/[^\w-]+/g, '-').slice(0, 100) || 'flow'
}

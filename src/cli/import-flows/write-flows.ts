import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { blockRegistry } from '../../blocks/index.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { compileFlow } from '../../engine/compile/compile-flow.ts'
import { lineOfProblem, problemsOf } from '../../lib/errors.ts'
import { factsOf } from '../../tooling/lint/flow-report.ts'
import { inOneGo, lintFlow } from '../../tooling/lint/lint-flow.ts'
import { unknownSurroundings } from '../../tooling/lint/model/surroundings.ts'
import { type Console, exitCodes, UsageError } from '../command.ts'
import { accountsUsedBy } from './account-uses.ts'
import { type ConvertedExport, convertExport } from './convert-export.ts'
import { withDefaultLook } from './default-look.ts'
import { addressesOf } from './flow-addresses.ts'
import { type ImportedFlow, type Refusal, type ReportTerms, tellImport } from './import-report.ts'

/** An export, and the subject of its findings. */
export interface Export {
  readonly source: string
  readonly definition: unknown
  /** Public id by the name of its file; that of the definition has precedence. */
  readonly publicId?: string | undefined
}

/** Exports as far as they could be read. */
export interface Exports {
  readonly exports: readonly Export[]
  readonly refusals: readonly Refusal[]
}

interface WriteTerms extends ReportTerms {
  readonly folder: string
  /** Whether files that are there are replaced. */
  readonly isForced: boolean
  /** Whether themes are written with what editors leave to their clients. */
  readonly hasDefaults: boolean
}

interface Converted extends ConvertedExport {
  readonly source: string
}

/** Writes a file a flow, and says what is to be done about them; the code to exit with. */
export async function writeFlows(read: Exports, terms: WriteTerms, console: Console): Promise<number> {
  await mkdir(terms.folder, { recursive: true }).catch((error: Error) => {
    throw new UsageError(`--out can not be written to: ${error.message}`, { cause: error })
  })
  const refusals = [...read.refusals]
  const taken = async <Result>(source: string, work: () => Result | Promise<Result>) => {
    console.workingOn?.(source)
    try {
      return [await work()]
    } catch (error) {
      refusals.push({ source, message: problemsOf(error).map(lineOfProblem).join('; ') })
      return []
    }
  }
  const converted: Converted[] = []
  for (const exported of read.exports)
    converted.push(...(await taken(exported.source, () => convert(exported, terms))))
  const addresses = addressesOf(converted.map(({ definition }) => definition))
  const written: ImportedFlow[] = []
  for (const [index, one] of converted.entries()) {
    const definition = { ...one.definition, publicId: addresses[index] }
    written.push(...(await taken(one.source, () => writeFlow({ ...one, definition }, written, terms))))
  }
  const flows = withMissingLinks(written)
  tellImport({ flows, refusals }, terms, console)
  return refusals.length === 0 && flows.every(({ ready }) => ready) ? exitCodes.fine : exitCodes.failed
}

function convert({ source, definition: sent, publicId }: Export, { hasDefaults }: WriteTerms): Converted {
  const { definition, leftOff } = convertExport(sent)
  const looking = hasDefaults ? withDefaultLook(definition) : definition
  return { source, leftOff, definition: { ...(publicId !== undefined && { publicId }), ...looking } }
}

async function writeFlow(
  { source, definition, leftOff }: Converted,
  before: readonly ImportedFlow[],
  { folder, isForced }: WriteTerms,
): Promise<ImportedFlow> {
  const flow = readDefinition(definition)
  const program = compileFlow(flow, blockRegistry, '')
  const { model, findings } = inOneGo(
    lintFlow({ flow, program, definition, surroundings: unknownSurroundings }),
  )
  const publicId = flow.publicId ?? flow.id
  const file = join(folder, `${fileNameOf(publicId)}.json`)
  const rival = before.find((other) => other.file.toLowerCase() === file.toLowerCase())
  if (rival) throw new Error(`would be written to ${file}, as ${rival.source} was`)
  await writeFile(file, `${JSON.stringify(definition, null, 2)}\n`, { flag: isForced ? 'w' : 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      throw new Error(`${file} is there already: use --force to replace it`)
    },
  )
  const { id, name } = flow
  const ready = findings.every(({ severity }) => severity !== 'error')
  const facts = { findings, links: factsOf(model).links, accounts: accountsUsedBy(model) }
  return { source, file, id, publicId, ...(name && { name }), ready, leftOff, ...facts }
}

/** Flows with those of their links alone that lead to none of them. */
function withMissingLinks(written: readonly ImportedFlow[]): readonly ImportedFlow[] {
  const names = new Set(written.flatMap(({ id, publicId }) => [id, publicId]))
  return written.map((flow) => {
    const links = flow.links.filter((name) => !names.has(name))
    return { ...flow, links, ready: flow.ready && links.length === 0 }
  })
}

/** A public id may hold separators of paths of any system; the file has to stay in its folder. */
function fileNameOf(id: string): string {
  return id.replace(/[^\w-]+/g, '-').slice(0, 100) || 'flow'
}

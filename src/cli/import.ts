import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseDefinition } from '../definition/parse-definition.ts'
import { momentInZone } from '../engine/values/zoned-time.ts'
import { problemsOf } from '../lib/errors.ts'
import { listFlowFiles } from '../publication/flow-folder/read-flow-file.ts'
import { type Console, type Run, UsageError } from './command.ts'
import { fetchExport } from './import-flows/fetch-export.ts'
import { type Refusal, reportOptions, reportTermsOf, reportUsage } from './import-flows/import-report.ts'
import { type Export, type Exports, writeFlows } from './import-flows/write-flows.ts'
import { importResultTable, type ResultImportTerms } from './import-results/import-table.ts'
import { readTextFile } from './input/read-text-file.ts'
import { serviceOf } from './input/service-of.ts'

/** Text of `import --help`. */
export const help =
  (): string => `Usage: flow-runtime import FILE|FOLDER|URL … --out FOLDER [--force] [--defaults] [--quiet] [--format WORD]
       flow-runtime import FILE.csv --results FLOW [--url URL] [--time-zone ZONE] [--force] [--format WORD]

Turns exported flows of any version into files that the service runs, one a flow, named by its public id, else by its
name. Takes the file of an editor, a public copy, and what an API answers. Prints what is wrong with the flows and links
that lead to none of them, and in the end which of them are ready, what was left off, and the accounts that they need, as a
list for CREDENTIALS_FILE.

  --out FOLDER  where the files go; it is made when it is missing
  --force       replace files that are there
  --defaults    write into their themes what they left to the look of where they come from
${reportUsage}

With --results, takes a table of results as editors export it, into those of a flow that a running service has published.
Rows that were imported before change nothing. Columns belong to the variables, inputs and groups of their names.

  --results FLOW    the public id of the flow
  --url URL         where the service is; else FLOW_RUNTIME_URL, else http://127.0.0.1:3000
  --time-zone ZONE  where the dates of the table are from, like Europe/Berlin (default UTC)
  --force           leave off columns that belong nowhere, instead of importing nothing

The token of the operator, with the scope "results", is that of ADMIN_TOKEN.
Exits with 0 when all is well, 1 when a flow could not be taken or something is wrong with one, 2 when it was called in
another way.
`

export const run: Run = async (args, console) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      out: { type: 'string' },
      force: { type: 'boolean' },
      defaults: { type: 'boolean' },
      results: { type: 'string' },
      url: { type: 'string' },
      'time-zone': { type: 'string' },
      ...reportOptions,
    },
    allowPositionals: true,
  })
  if (positionals.length === 0) throw new UsageError('import needs a file, a folder or an address')
  if (values.results !== undefined)
    return importResultTable(resultTermsOf(positionals, values, console), console)
  if (!values.out) throw new UsageError('import needs a folder to write to: --out FOLDER')
  const sources = (await Promise.all(positionals.map(sourcesOf))).flat()
  const { out: folder, force: isForced = false, defaults: hasDefaults = false } = values
  const terms = { folder, isForced, hasDefaults, ...reportTermsOf(values) }
  return writeFlows(await readExports(sources, console), terms, console)
}

interface ResultOptions {
  readonly results?: string
  readonly out?: string
  readonly url?: string
  readonly force?: boolean
  readonly format?: string
  readonly 'time-zone'?: string
}

function resultTermsOf(
  positionals: readonly string[],
  { results: flow = '', out, force: isForced = false, 'time-zone': zone = 'UTC', ...values }: ResultOptions,
  console: Console,
): ResultImportTerms {
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('import --results needs one file')
  if (out !== undefined) throw new UsageError('--out is for flows: results go to a running service')
  if (momentInZone('2026-11-21T09:17', zone) === undefined)
    throw new UsageError(`--time-zone ${JSON.stringify(zone)} is no zone: write it like Europe/Berlin`)
  const { format } = reportTermsOf(values)
  return { file, isForced, zone, format, target: { flow, ...serviceOf('import', values.url, console) } }
}

async function sourcesOf(named: string): Promise<readonly string[]> {
  if (isAddress(named)) return [named]
  const stats = await stat(named).catch(() => undefined)
  if (!stats) throw new UsageError(`${named} does not exist`)
  if (!stats.isDirectory()) return [named]
  const files = (await listFlowFiles(named)) ?? []
  if (files.length === 0) throw new UsageError(`${named} has no *.json`)
  return files.map((file) => join(named, file))
}

const isAddress = (source: string) => /^https?:\/\//.test(source)

async function readExports(sources: readonly string[], { workingOn }: Console): Promise<Exports> {
  const exports: Export[] = []
  const refusals: Refusal[] = []
  for (const source of sources) {
    workingOn?.(source)
    try {
      const definition = isAddress(source)
        ? await fetchExport(source)
        : parseDefinition(await readTextFile(source))
      exports.push({ source, definition, publicId: publicIdIn(source) })
    } catch (error) {
      for (const { message } of problemsOf(error)) refusals.push({ source, message })
    }
  }
  return { exports, refusals }
}

/** Editors name the file of an export by what the flow is published as. */
function publicIdIn(source: string): string | undefined {
  return /^typebot-export-(.+)\.json$/.exec(basename(source))?.[1]
}

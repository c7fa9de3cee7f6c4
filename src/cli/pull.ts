import { parseArgs } from 'node:util'
import { problemsOf } from '../lib/errors.ts'
import { exitCodes, type Run, UsageError } from './command.ts'
import { fetchExport } from './import-flows/fetch-export.ts'
import { type Refusal, reportOptions, reportTermsOf, reportUsage } from './import-flows/import-report.ts'
import { type Export, type Exports, writeFlows } from './import-flows/write-flows.ts'
import { say } from './output/plain-text.ts'

/** Text of `pull --help`. */
export const help =
  (): string => `Usage: flow-runtime pull --from URL --token TOKEN --out FOLDER [--workspace ID] [OPTIONS]

Fetches the flows of a running installation by the API of its editor, as they are edited at present, and writes them
as import does.

  --from URL      where the editor is
  --token TOKEN   an API token of one of its users; else PULL_TOKEN, which no list of processes shows
  --workspace ID  only the flows of this workspace; else those of all that the user may see
  --out FOLDER    where the files go; it is made when it is missing
  --force         replace files that are there
  --defaults      write into their themes what they left to the look of where they come from
${reportUsage}

Exits with 0 when all is well, 1 when a flow could not be fetched or something is wrong with one, 2 when it was called
in another way.
`

/** More flows than any installation has; an answer without end is a mistake. */
const mostFlows = 10_000

export const run: Run = async (args, console) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      from: { type: 'string' },
      token: { type: 'string' },
      workspace: { type: 'string' },
      out: { type: 'string' },
      force: { type: 'boolean' },
      defaults: { type: 'boolean' },
      ...reportOptions,
    },
  })
  const { from = '', out, workspace } = values
  const token = values.token ?? console.env['PULL_TOKEN']
  if (!/^https?:\/\//.test(from) || !URL.canParse(from))
    throw new UsageError('pull needs the address of an editor: --from URL')
  if (!token) throw new UsageError('pull needs a token: --token TOKEN, or PULL_TOKEN')
  if (!out) throw new UsageError('pull needs a folder to write to: --out FOLDER')
  const { force: isForced = false, defaults: hasDefaults = false } = values
  const terms = { folder: out, isForced, hasDefaults, ...reportTermsOf(values) }
  const get = (path: string) => fetchExport(`${from.replace(/\/+$/, '')}/api/v1/${path}`, token)
  let ids: readonly string[]
  try {
    ids = await findFlows(workspace, get)
  } catch (error) {
    for (const { message } of problemsOf(error)) say(console.warn, `${from}: ${message}`)
    return exitCodes.failed
  }
  return writeFlows(await fetchFlows(ids, get), terms, console)
}

type Get = (path: string) => Promise<unknown>

async function findFlows(workspace: string | undefined, get: Get): Promise<readonly string[]> {
  const workspaces = workspace === undefined ? idsIn(await get('workspaces'), 'workspaces') : [workspace]
  const ids: string[] = []
  for (const id of workspaces) {
    ids.push(...idsIn(await get(`typebots?workspaceId=${encodeURIComponent(id)}`), 'typebots'))
    if (ids.length > mostFlows) throw new Error(`lists more than ${mostFlows} flows: use --workspace`)
  }
  return ids
}

function idsIn(answer: unknown, key: string): string[] {
  const list = (Object(answer) as Readonly<Record<string, unknown>>)[key]
  if (!Array.isArray(list)) throw new Error(`does not answer as an editor does: there are no ${key}`)
  return list.map((item) => String((Object(item) as { readonly id?: unknown }).id))
}

async function fetchFlows(ids: readonly string[], get: Get): Promise<Exports> {
  const exports: Export[] = []
  const refusals: Refusal[] = []
  for (const id of ids) {
    try {
      exports.push({ source: id, definition: await get(`typebots/${encodeURIComponent(id)}`) })
    } catch (error) {
      for (const { message } of problemsOf(error)) refusals.push({ source: id, message })
    }
  }
  return { exports, refusals }
}

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type FlowText,
  flowFileEndings,
  flowFileName,
  isYamlFlow,
  readFlowText,
} from '../definition/read-flow-text.ts'
import { listFlowFiles } from '../publication/flow-folder/read-flow-file.ts'
import { type Console, exitCodes, type Run, UsageError } from './command.ts'
import { fileLineColumn } from './input/flow-source.ts'
import { readTextFile } from './input/read-text-file.ts'
import { serviceOf } from './input/service-of.ts'
import { say } from './output/plain-text.ts'
import { type Publisher, publisherTo } from './publisher.ts'

/** Text of `publish --help`. */
export const help = (): string => `Usage: flow-runtime publish FOLDER [--url URL] [--force]

Publishes every *.json and *.flow.yaml of a folder by a running service, each as the next version of its flow, which is kept where
a database is; what is served already is left alone. The public id is the publicId of the definition, else the name
of the file without its ending. A flow in which the check finds errors is refused, and the others are published.

  --url URL   where the service is; else FLOW_RUNTIME_URL, else http://127.0.0.1:3000
  --force     publish flows with errors too

The token of the operator is that of ADMIN_TOKEN, or one of the ADMIN_TOKENS of the service.
Exits with 0 when everything is published, 1 when something is not, 2 when it was called in another way.
`

/** A flow file that is ready to be sent. */
interface FileToPublish extends Pick<FlowText, 'rangeOf'> {
  readonly file: string
  readonly publicId: string
  /** The JSON of its definition. */
  readonly text: string
}

export const run: Run = async (args, console) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { url: { type: 'string' }, force: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new UsageError('publish needs one folder')
  const { warn } = console
  const { url, token } = serviceOf('publish', values.url, console)

  const files = await listFlowFiles(folder, flowFileEndings)
  if (!files || files.length === 0) {
    warn(`${folder} ${files ? 'has no *.json or *.flow.yaml' : 'does not exist'}\n`)
    return exitCodes.failed
  }
  const flows = await readFlows(folder, files, console)
  const publisher = publisherTo({ url, token, isForced: values.force === true })
  const isAllPublished = await publishEach(flows, publisher, console)
  return isAllPublished && flows.length === files.length ? exitCodes.fine : exitCodes.failed
}

/** Those that can be sent; what is wrong with the others is said. */
async function readFlows(
  folder: string,
  files: readonly string[],
  { warn }: Console,
): Promise<FileToPublish[]> {
  const flows: FileToPublish[] = []
  for (const file of files) {
    try {
      const text = await readTextFile(join(folder, file))
      const { definition, problems, rangeOf } = readFlowText(file, text)
      for (const { message, range } of problems) say(warn, `${fileLineColumn(file, range)} ${message}`)
      if (problems.length > 0) continue
      const publicId = publicIdIn(definition) ?? flowFileName(file)
      const rival = flows.find((flow) => flow.publicId === publicId)
      if (rival) throw new Error(`has the public id of ${rival.file}, ${JSON.stringify(publicId)}`)
      flows.push({ file, publicId, text: isYamlFlow(file) ? JSON.stringify(definition) : text, rangeOf })
    } catch (error) {
      say(warn, `${file}: ${(error as Error).message}`)
    }
  }
  return flows
}

function publicIdIn(definition: unknown): string | undefined {
  const { publicId } = Object(definition) as { readonly publicId?: unknown }
  return typeof publicId === 'string' && publicId !== '' ? publicId : undefined
}

/** Stops where no further flow would fare better; whether all were published. */
async function publishEach(
  flows: readonly FileToPublish[],
  publish: Publisher,
  { print, warn }: Console,
): Promise<boolean> {
  let isAllPublished = true
  for (const { file, publicId, text, rangeOf } of flows) {
    const outcome = await publish(publicId, text)
    if (outcome.kind === 'published') {
      const { version, isChanged, findings } = outcome
      say(
        print,
        `${file}: ${isChanged ? 'published as' : 'is served already,'} version ${version} of ${publicId}`,
      )
      for (const { severity, pointer, hint } of findings)
        say(warn, `${fileLineColumn(file, rangeOf(String(pointer)))} ${severity}${within(pointer)}: ${hint}`)
      continue
    }
    isAllPublished = false
    say(warn, `${file}: ${outcome.message}`)
    for (const { pointer, message } of outcome.problems)
      say(warn, `${fileLineColumn(file, rangeOf(String(pointer)))}${within(pointer)}: ${message}`)
    if (outcome.isForAll) break
  }
  return isAllPublished
}

function within(pointer: unknown): string {
  return pointer === '' ? '' : ` at ${pointer}`
}

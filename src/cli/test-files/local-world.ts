import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createCodeSandbox } from '../../adapters/code-sandbox/code-sandbox.ts'
import { createSystemPorts } from '../../adapters/system/system-ports.ts'
import { readConfig } from '../../config/read-config.ts'
import type { TurnDependencies } from '../../conversations/dependencies.ts'
import { isFlowFile } from '../../definition/read-flow-text.ts'
import type { BlockRegistry } from '../../engine/model/block-handler.ts'
import type { Metrics } from '../../ports/metrics-port.ts'
import { type Console, UsageError } from '../command.ts'
import { linesOfProblems, type RunnableSource, runnableSourceOf } from '../input/flow-source.ts'
import { readNamedFile } from '../input/read-text-file.ts'

type LocalFlow = NonNullable<RunnableSource['read']> & Pick<RunnableSource, 'publicId' | 'rangeOf' | 'path'>

/** Environment of tested flows: the clock of the process, the sandbox, the flows of a folder, and nothing outside. */
export function openLocalWorld(console: Pick<Console, 'warn'>, registry: BlockRegistry) {
  let sandbox: ReturnType<typeof createCodeSandbox> | undefined
  const flows = new Map<string, Promise<LocalFlow>>()
  const folders = new Map<string, Promise<readonly LocalFlow[]>>()
  const readFlow = (path: string) => {
    const known = flows.get(path) ?? readLocalFlow(path, registry)
    flows.set(path, known)
    return known
  }
  const flowsIn = (folder: string) => {
    const known = folders.get(folder) ?? readFlowsIn(folder, readFlow)
    folders.set(folder, known)
    return known
  }
  // No one else is served meanwhile.
  const ports = createSystemPorts({ nextTurn: async () => undefined, firstTurn: () => undefined })
  const nothing = async (): Promise<never> => {
    throw new Error('tests reach nothing outside')
  }
  const none = () => undefined
  const dependenciesIn = (folder: string): TurnDependencies => ({
    ports,
    limits: readConfig({}).limits,
    heavyTurns: { admit: () => true },
    publicUrl: undefined,
    areResultsRead: true,
    previewHttp: 'off',
    sandbox: {
      run: (job, terms) => {
        sandbox ??= createCodeSandbox()
        return sandbox.run(job, terms)
      },
      close: nothing,
    },
    http: { send: nothing, stream: nothing, close: nothing },
    mailer: { send: nothing, compose: nothing, close: nothing },
    credentials: { mailAccount: none, model: none, vendor: none, webhook: none, channel: none },
    files: undefined,
    closing: new AbortController().signal,
    log: {
      warn: none,
      error: (details, message) => console.warn(`${message}: ${JSON.stringify(details)}\n`),
    },
    metrics: noMetrics,
    conversations: { isHeld: async () => true },
    published: { byFlowId: async (name) => findFlow(name, await flowsIn(folder)) },
  })
  /** The file of a flow that is named by its path, or by what it is published as in its folder. */
  const pathOf = async (named: string): Promise<string> => {
    if (isFlowFile(named)) return named
    const [folder, publicId] = [dirname(named), basename(named)]
    const [found, other] = (await flowsIn(folder)).filter((flow) => flow.publicId === publicId)
    if (!found)
      throw new UsageError(
        `${named} is no *.json or *.flow.yaml, and no flow of ${folder} is published as ${JSON.stringify(publicId)}`,
      )
    if (other)
      throw new UsageError(
        `${named}: ${found.path} and ${other.path} are both published as ${JSON.stringify(publicId)}: name one of the files`,
      )
    return found.path
  }
  return {
    pathOf,
    readFlow,
    dependenciesFor: (flowPath: string) => dependenciesIn(dirname(flowPath)),
    close: async () => sandbox?.close(),
  }
}

const noMetrics = Object.freeze({
  requestAnswered() {},
  turnDone() {},
  errorsLeft() {},
  storeAsked() {},
  limitReached() {},
  draftRead() {},
  heavyTurnRefused() {},
  codeDone() {},
  codeThreadLost() {},
  requestDone() {},
  mailDone() {},
  deliveryDone() {},
  questionDone() {},
  spansDone() {},
}) satisfies Metrics

async function readLocalFlow(path: string, registry: BlockRegistry): Promise<LocalFlow> {
  const source = runnableSourceOf(path, await readNamedFile(path), registry)
  const { read, publicId, rangeOf } = source
  if (read) return { ...read, publicId, rangeOf, path }
  const [problem] = linesOfProblems(source)
  throw new UsageError(`A flow can not be run: ${problem}`)
}

/** The flows of a folder that can be run. */
async function readFlowsIn(
  folder: string,
  readFlow: (path: string) => Promise<LocalFlow>,
): Promise<readonly LocalFlow[]> {
  const files = (await readdir(folder)).filter(isFlowFile)
  const read = await Promise.allSettled(files.map((file) => readFlow(join(folder, file))))
  return read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

/** A flow by its id, then by what it is published as. */
function findFlow(name: string, known: readonly LocalFlow[]) {
  const found = known.find(({ flow }) => flow.id === name) ?? known.find(({ publicId }) => publicId === name)
  return found && { ...found, publishedAt: '', isClosed: false, isArchived: false }
}

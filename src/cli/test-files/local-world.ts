import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Flow } from '../../../schemas/flow.ts'
import { createCodeSandbox } from '../../adapters/code-sandbox/code-sandbox.ts'
import { createSystemPorts } from '../../adapters/system/system-ports.ts'
import { readConfig } from '../../config/read-config.ts'
import type { TurnDependencies } from '../../conversations/dependencies.ts'
import { parseDefinition } from '../../definition/parse-definition.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { compileFlow } from '../../engine/compile/compile-flow.ts'
import type { BlockRegistry } from '../../engine/model/block-handler.ts'
import type { Program } from '../../engine/model/program.ts'
import { firstProblemOf, ServiceError } from '../../lib/errors.ts'
import type { Metrics } from '../../ports/metrics-port.ts'
import { type Console, UsageError } from '../command.ts'
import { readNamedFile } from '../input/read-text-file.ts'

interface LocalFlow {
  readonly flow: Flow
  readonly program: Program
  readonly text: string
}

/** Environment of tested flows: the clock of the process, the sandbox, the flows of a folder, and nothing outside. */
export function openLocalWorld(console: Pick<Console, 'warn'>, registry: BlockRegistry) {
  let sandbox: ReturnType<typeof createCodeSandbox> | undefined
  const flows = new Map<string, Promise<LocalFlow>>()
  const folders = new Map<string, Promise<readonly NamedFlow[]>>()
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
    if (named.endsWith('.json')) return named
    const [folder, publicId] = [dirname(named), basename(named)]
    const found = (await flowsIn(folder)).find((flow) => publicIdOf(flow) === publicId)
    if (!found)
      throw new UsageError(
        `${named} is no *.json, and no flow of ${folder} is published as ${JSON.stringify(publicId)}`,
      )
    return join(folder, `${found.name}.json`)
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
  const text = await readNamedFile(path)
  try {
    const flow = readDefinition(parseDefinition(text), registry)
    return { flow, program: compileFlow(flow, registry, path), text }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new UsageError(`${path} can not be run: ${firstProblemOf(error)}`)
  }
}

/** A flow of a folder, with what its file is called. */
interface NamedFlow extends LocalFlow {
  readonly name: string
}

const publicIdOf = ({ flow, name }: NamedFlow) => flow.publicId ?? name

/** The flows of a folder that can be run. */
async function readFlowsIn(
  folder: string,
  readFlow: (path: string) => Promise<LocalFlow>,
): Promise<readonly NamedFlow[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'))
  const read = await Promise.allSettled(files.map((file) => readFlow(join(folder, file))))
  return read.flatMap((one, index) =>
    one.status === 'fulfilled' ? [{ ...one.value, name: files[index]?.replace('.json', '') ?? '' }] : [],
  )
}

/** A flow by its id, then by what it is published as. */
function findFlow(name: string, known: readonly NamedFlow[]) {
  const found = known.find(({ flow }) => flow.id === name) ?? known.find((one) => publicIdOf(one) === name)
  return (
    found && {
      ...found,
      publicId: publicIdOf(found),
      publishedAt: '',
      isClosed: false,
      isArchived: false,
    }
  )
}

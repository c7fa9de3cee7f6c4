import type { Flow } from '../../../schemas/flow.ts'
import type { FindingSummary } from '../../../schemas/flow-state.ts'
import type { Program } from '../../engine/model/program.ts'
import type { DefinitionStore } from '../definition-store.ts'
import type { PublishedFlow } from '../published-flows.ts'
import type { PublicationLog } from './publication-log.ts'
import { readPublishedAt } from './published-at.ts'
import type { FlowFile } from './read-flow-file.ts'

/** What publishing files takes. */
export interface PublisherOptions {
  /**
   * Makes a flow of a definition's text. Throws for one that is none: best a `ServiceError` with problems. The text
   * is kept under the hash of the program, which compiling it again has to yield.
   */
  publish(text: string): { readonly flow: Flow; readonly program: Program }
  /** Finds what the author of a flow should know about it. */
  inspect(flow: Flow, program: Program): Promise<readonly FindingSummary[]>
  /** Where definitions are kept for the sessions that are pinned to them. */
  readonly definitions: DefinitionStore
  readonly report: PublicationLog
}

/** Turns the content of a file into a flow, and keeps its definition while it is published. */
export interface FlowPublisher {
  /** Nothing is kept or reported yet. Throws as `publish` does. */
  compile(name: string, file: FlowFile): PublishedFlow
  /** Keeps its definition. */
  keep(flow: PublishedFlow, text: string): Promise<void>
  /**
   * Logs what its author should know about it, which it returns; with a line that it is published where it is announced,
   * else no more than what keeps a block from running.
   */
  inspect(name: string, flow: PublishedFlow, isAnnounced: boolean): Promise<readonly FindingSummary[]>
  /** Lets its definition make room for others; sessions may still be pinned to it. Never rejects. */
  retire(flow: PublishedFlow): Promise<void>
}

export function createFlowPublisher({
  publish,
  inspect,
  definitions,
  report,
}: PublisherOptions): FlowPublisher {
  return {
    compile(name, { text, modifiedAt }) {
      const { flow, program } = publish(text)
      return {
        publicId: flow.publicId || name.slice(0, -'.json'.length),
        flow,
        program,
        publishedAt: readPublishedAt(flow.updatedAt, modifiedAt),
        isClosed: flow.isClosed === true,
        isArchived: flow.isArchived === true,
      }
    },
    keep: ({ program }, text) => keepDefinition(program.hash, text, definitions),
    async inspect(name, flow, isAnnounced) {
      if (isAnnounced) announce(name, flow, report)
      const findings = await inspect(flow.flow, flow.program)
      reportFindings(name, isAnnounced ? findings : findings.filter(isError), report)
      return findings
    },
    retire: ({ program }) =>
      definitions.release(program.hash).catch((error: unknown) => {
        report.warn(
          { hash: program.hash, err: error },
          'definition could not be released: it is kept for good',
        )
      }),
  }
}

/** Retained first: what is not retained may be refused for its size. */
async function keepDefinition(hash: string, text: string, definitions: DefinitionStore): Promise<void> {
  await definitions.retain(hash)
  try {
    await definitions.put(hash, text)
  } catch (error) {
    await definitions.release(hash)
    throw error
  }
}

const isError = ({ severity }: FindingSummary) => severity === 'error'

function reportFindings(file: string, findings: readonly FindingSummary[], report: PublicationLog): void {
  for (const { severity, code, pointer, blockId, hint } of findings) {
    const details = { file, code, pointer, ...(blockId !== undefined && { blockId }), hint }
    report[severity === 'error' ? 'error' : 'warn'](details, 'flow has a flaw')
  }
}

function announce(file: string, flow: PublishedFlow, report: PublicationLog): void {
  const { publicId, publishedAt, isClosed, isArchived, program } = flow
  const details = { file, publicId, flowId: flow.flow.id, hash: program.hash }
  report.info({ ...details, publishedAt, isClosed, isArchived }, 'flow published')
}

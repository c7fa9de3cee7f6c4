import type { Block } from '../../../schemas/blocks/index.ts'
import { httpRequestTypes } from '../../../schemas/blocks/integrations/http-request.ts'
import type { FlowModel } from './model/flow-model.ts'
import type { PlacedBlock } from './model/placed-block.ts'
import { accountOf } from './model/surroundings/account-of.ts'

/** Parts and dependencies of a flow, for reviewers of a flow that others have made. */
export interface FlowFacts {
  readonly groups: number
  readonly blocks: number
  readonly inputs: number
  readonly variables: readonly VariableFacts[]
  /** Accounts of the operator that it uses, by id; that of the type where a block names none. */
  readonly accounts: readonly string[]
  /** Flows that it links to, as it names them. */
  readonly links: readonly string[]
  /** Hosts that its HTTP requests name; where models and vendors are called is up to the accounts. */
  readonly hosts: readonly string[]
  readonly uploads: boolean
  readonly mails: boolean
  /** Types of its blocks that do something only in a browser. */
  readonly clientOnlyBlocks: readonly string[]
}

interface VariableFacts {
  readonly id: string
  readonly name: string
  /** Places that read and write it. */
  readonly reads: number
  readonly writes: number
}

/** Elements of each list, which can be as long as the definition. */
const mostListed = 500

const list = (values: readonly string[]) => [...new Set(values)].slice(0, mostListed)

/** Collects the facts of a flow. */
export function factsOf({ flow, program, blocks, uses }: FlowModel): FlowFacts {
  return {
    groups: flow.groups.length,
    blocks: blocks.length,
    inputs: blocks.filter(({ kind }) => kind === 'input').length,
    variables: program.variables.all.slice(0, mostListed).map(({ id, name }) => {
      const { reads, writes } = uses.of(id)
      return { id, name, reads: reads.length, writes: writes.length }
    }),
    accounts: list(blocks.flatMap((placed) => accountOf(placed)?.id ?? [])),
    links: list(blocks.flatMap((placed) => linkOf(placed) ?? [])),
    hosts: list(blocks.flatMap(({ block }) => hostOf(block) ?? [])),
    uploads: blocks.some(({ block, marks }) => marks.takesUploads?.(block)),
    mails: blocks.some(({ marks }) => marks.mails),
    clientOnlyBlocks: list(
      blocks.filter(({ block, marks }) => marks.isClientOnly?.(block)).map(({ block }) => block.type),
    ),
  }
}

function linkOf({ block, marks }: PlacedBlock): string | undefined {
  const { flowId } = marks.leadsTo?.(block) ?? {}
  return flowId && flowId !== 'current' ? flowId : undefined
}

const requestTypes: ReadonlySet<string> = new Set(httpRequestTypes)

/** The host of a request whose address names it without a placeholder. */
export function hostOf(block: Block): string | undefined {
  if (!requestTypes.has(block.type) || !('options' in block)) return undefined
  const { webhook } = (block.options ?? {}) as { webhook?: { url?: string } }
  const [, host] = /^\s*https?:\/\/(?:[^/?#@]*@)?([^/?#{}]+)(?:[/?#]|$)/i.exec(webhook?.url ?? '') ?? []
  return host?.toLowerCase()
}

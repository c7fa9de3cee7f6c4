import { isClientOnly } from '../../schemas/blocks/client-only.ts'
import type { Block } from '../../schemas/blocks/index.ts'
import { httpRequestTypes } from '../../schemas/blocks/integrations/http-request.ts'
import type { FlowModel } from './model/flow-model.ts'

/** What a flow consists of and depends on: for reviewers of a flow that others have made. */
export interface FlowFacts {
  readonly groups: number
  readonly blocks: number
  readonly inputs: number
  readonly variables: readonly VariableFacts[]
  /** Accounts of the operator that it uses, by id; `default` with the type where a block names none. */
  readonly accounts: readonly string[]
  /** Flows that it links to, as it names them. */
  readonly links: readonly string[]
  /** Hosts that it calls, as far as they are known before a conversation. */
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

/** Of each list; strangers can make them as long as a definition. */
const mostListed = 500

const list = (values: readonly string[]) => [...new Set(values)].slice(0, mostListed)

/** Collects the facts of a flow. */
export function factsOf({ flow, program, blocks, uses }: FlowModel): FlowFacts {
  const all = blocks.map(({ block }) => block)
  return {
    groups: flow.groups.length,
    blocks: all.length,
    inputs: blocks.filter(({ kind }) => kind === 'input').length,
    variables: program.variables.all.slice(0, mostListed).map(({ id, name }) => {
      const { reads, writes } = uses.of(id)
      return { id, name, reads: reads.length, writes: writes.length }
    }),
    accounts: list(all.flatMap(accountsOf)),
    links: list(all.flatMap((block) => linkOf(block) ?? [])),
    hosts: list(all.flatMap((block) => hostOf(block) ?? [])),
    uploads: all.some(takesUploads),
    mails: all.some(({ type }) => type === 'Email'),
    clientOnlyBlocks: list(all.filter(isClientOnly).map(({ type }) => type)),
  }
}

const mailTypes = new Set(['Email'])

function accountsOf(block: Block): string[] {
  if (!('options' in block) || block.options === undefined) return []
  const { credentialsId } = block.options as { credentialsId?: unknown }
  if (typeof credentialsId === 'string' && credentialsId !== '') return [credentialsId]
  return mailTypes.has(block.type) ? ['default'] : []
}

function linkOf(block: Block): string | undefined {
  if (block.type !== 'Flow link') return undefined
  const { flowId } = block.options ?? {}
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

function takesUploads(block: Block): boolean {
  if (block.type === 'file input') return true
  if (block.type !== 'text input') return false
  const { attachments, audioClip } = block.options ?? {}
  return attachments?.isEnabled === true || audioClip?.isEnabled === true
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../flows')

/** The sample flows that a visitor alone leads to every end, by their public ids, which are the names of their files. */
export const sampleFlows = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''))
  // Its tests have hours pass, and a person who takes over.
  .filter((name) => name !== 'ask-a-person')

interface Flow {
  readonly groups: readonly { readonly blocks: readonly Block[] }[]
  readonly theme: { readonly general?: { readonly progressBar?: { readonly isEnabled?: boolean } } }
}

interface Block {
  readonly id: string
  readonly type: string
  readonly items?: readonly {
    readonly id: string
    readonly outgoingEdgeId?: string
    readonly paths?: readonly { readonly id: string }[]
  }[]
}

/** What there is to see and to choose in a sample flow, by ids. */
export interface Sights {
  readonly bubbles: readonly string[]
  readonly inputs: readonly string[]
  /** What leads somewhere of its own when a visitor picks it. */
  readonly branches: readonly string[]
  readonly hasProgressBar: boolean
}

/** Reads what there is to see in a sample flow. */
export function sightsOf(name: string): Sights {
  const { groups, theme }: Flow = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
  const blocks = groups.flatMap((group) => group.blocks)
  const inputs = blocks.filter(({ type }) => type.endsWith(' input') || type === 'cards')
  const bubbles = blocks.filter(({ type }) => ['text', 'image', 'video', 'audio', 'embed'].includes(type))
  return {
    bubbles: bubbles.map(({ id }) => id),
    inputs: inputs.map(({ id }) => id),
    branches: inputs.flatMap(branchesOf),
    hasProgressBar: theme.general?.progressBar?.isEnabled === true,
  }
}

function branchesOf({ items = [] }: Block): readonly string[] {
  return items.flatMap(({ id, outgoingEdgeId, paths = [] }) => [
    ...(outgoingEdgeId === undefined ? [] : [id]),
    ...paths.map((path) => path.id),
  ])
}

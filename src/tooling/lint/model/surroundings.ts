import { type ChannelName, channels } from '../../../../schemas/channel.ts'
import type { Flow } from '../../../../schemas/flow.ts'
import type { Program } from '../../../engine/model/program.ts'

/** Another flow that links can lead to, as far as rules look at it. */
export interface NeighbourFlow {
  readonly id: string
  readonly publicId: string
  readonly isClosed: boolean
  readonly isArchived: boolean
  /** The ids of its groups. */
  readonly groupIds: ReadonlySet<string>
  /** Whether its start leads to a group that exists. */
  readonly hasStart: boolean
  /** Ids of flows that are entered from here before the first input. */
  readonly linksAtOnce: readonly string[]
}

/** Environment of a flow. A member that is undefined is not known, and no rule reports anything about it. */
export interface Surroundings {
  /** Finds a flow by its id, else by its public id. */
  readonly findFlow?: ((name: string) => NeighbourFlow | undefined) | undefined
  /** Whether an account of this type can be used under an id. */
  readonly hasAccount?: ((type: string, id: string) => boolean) | undefined
  /** The version that is published now. */
  readonly served?: { readonly flow: Flow; readonly program: Program } | undefined
  /** Messengers that the flow is meant for, beside what its settings say. */
  readonly channels?: readonly string[] | undefined
  /** Public id of the flow, unless it has one itself. */
  readonly publicId?: string
  /** Other files that are published under a public id. */
  readonly publishedAs?: ((publicId: string) => readonly string[]) | undefined
}

export const unknownSurroundings: Surroundings = Object.freeze({})

interface CheckedFlow {
  readonly flow: Flow
  readonly surroundings: Surroundings
}

/** Messengers of a flow: by its settings, and by the options of the check. */
export function channelsOf({ flow: { settings }, surroundings }: CheckedFlow): ChannelName[] {
  const named = new Set([
    ...(settings.general?.channels ?? []),
    ...(settings.whatsApp?.isEnabled ? ['whatsapp'] : []),
    ...(surroundings.channels ?? []),
  ])
  return channels.filter((name) => named.has(name))
}

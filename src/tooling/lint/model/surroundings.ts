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
  /** Other files that are published under a public id. */
  readonly publishedAs?: ((publicId: string) => readonly string[]) | undefined
}

export const unknownSurroundings: Surroundings = Object.freeze({})

/** Messengers that a flow can be meant for, beside web pages. */
export const channelNames = ['whatsapp', 'telegram'] as const
export type ChannelName = (typeof channelNames)[number]

/** Limits of a messenger; undefined where they are those of a page. */
interface ChannelLimits {
  /** Characters of a text. */
  readonly text: number
  /** Choices of one message. */
  readonly choices?: number
  /** Characters of a choice, by how many there are. */
  label?(choices: number): number
}

/** Choices that are buttons rather than rows of a list. */
const mostButtons = 3

/** As their makers document them. */
export const channelLimits: Readonly<Record<ChannelName, ChannelLimits>> = Object.freeze({
  whatsapp: { text: 4_096, choices: 10, label: (choices: number) => (choices <= mostButtons ? 20 : 24) },
  telegram: { text: 4_096 },
})

interface CheckedFlow {
  readonly flow: Flow
  readonly surroundings: Surroundings
}

/** Messengers of a flow: by its settings, and by the options of the check. */
export function channelsOf({ flow, surroundings }: CheckedFlow): ChannelName[] {
  const isForWhatsApp = flow.settings.whatsApp?.isEnabled === true
  return channelNames.filter(
    (name) => surroundings.channels?.includes(name) || (name === 'whatsapp' && isForWhatsApp),
  )
}

import type { FlowModel } from '../flow-model.ts'

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

/** Messengers of a flow: by its settings, and by the options of the check. */
export function channelsOf({ flow, surroundings }: Pick<FlowModel, 'flow' | 'surroundings'>): ChannelName[] {
  const isForWhatsApp = flow.settings.whatsApp?.isEnabled === true
  return channelNames.filter(
    (name) => surroundings.channels?.includes(name) || (name === 'whatsapp' && isForWhatsApp),
  )
}

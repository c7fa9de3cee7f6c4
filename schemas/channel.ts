/** Messengers on which a flow can be held, beside web pages. */
export const channels = ['whatsapp', 'telegram'] as const
export type ChannelName = (typeof channels)[number]

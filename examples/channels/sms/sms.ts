import type { Capabilities } from '../../../src/channels/capabilities.ts'
import type { MessengerType } from '../../../src/channels/messenger-type.ts'
import type { ChannelWriter } from '../../../src/channels/outgoing.ts'
import type { StyledText } from '../../../src/channels/text/styled-text.ts'
import { createSms, TwilioData } from './sms-messenger.ts'
import { mostUnits, unitsOf, writeSms } from './sms-text.ts'

const capabilities: Capabilities = {
  text: mostUnits,
  caption: 0,
  buttons: { count: 0, label: 0, body: mostUnits, mustDiffer: false, id: 0 },
  pictured: 0,
  media: { image: [], video: [], audio: [] },
  files: {},
  joinsBubbles: true,
}

const writeText = (text: StyledText) => ({ method: 'Messages', body: { Body: writeSms(text) } })

const writer: ChannelWriter = {
  lengthOf: (text) => unitsOf(writeSms(text)),
  writeText,
  // Neither is asked for: there are no buttons, and files are links.
  writeButtons: writeText,
  writeMedia: (_, url, caption) => writeText({ ...caption, text: `${caption.text} ${url}` }),
}

export const sms: MessengerType<typeof TwilioData> = {
  data: TwilioData,
  baseUrl: 'https://api.twilio.com',
  capabilities,
  writer,
  open: createSms,
}

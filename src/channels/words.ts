import { aiDisclosureIn } from '../../schemas/ai-disclosure.ts'
import type { Message } from '../../schemas/message.ts'
import type { Settings } from '../../schemas/settings.ts'

/** Words that a messenger is sent beside those of the flow; `settings.general.words` replaces them. */
const words = {
  chooseOne: 'Choose one',
  select: 'Select',
  skip: 'Skip',
  pay: 'Pay',
  yourAnswer: 'Your answer',
  pictureNumber: 'Picture {number}',
  newTab: 'Continue in new tab',
  replyNumber: 'Reply with a number.',
  replyRating: 'Reply with a number from {from} to {to}.',
  replyDate: 'Reply with a date, such as 2026-12-24.',
  replyDateTime: 'Reply with a date and a time, such as 2026-12-24 14:30.',
  replyDates: 'Reply with two dates, such as 2026-12-24 to 2026-12-31.',
  replyTime: 'Reply with a time, such as 14:30.',
  replyNumbers: 'Reply with one or more numbers, such as 1, 2.',
  staleChoice: 'That choice belongs to an earlier question.',
  notTaken: 'That can’t be taken as an answer here.',
  unpayable: 'This can’t be paid at present.',
  aiDisclosure: '',
}

export type ChannelWords = Readonly<Record<keyof typeof words, string>>

/** The words of a flow. */
export function channelWordsOf(settings: Settings): ChannelWords {
  const { words: own = {}, systemMessages, language } = settings.general ?? {}
  const select = systemMessages?.whatsAppPictureChoiceSelectLabel
  const spoken = { ...words, ...(select && { select }), aiDisclosure: aiDisclosureIn(language) }
  for (const name of Object.keys(words) as (keyof ChannelWords)[])
    if (Object.hasOwn(own, name) && own[name]) spoken[name] = own[name]
  return spoken
}

/** Words that no flow has said, as a message. */
export function messageOf(text: string): Message {
  const richText = text.split('\n').map((line) => ({ type: 'p', children: [{ text: line }] }))
  return { id: 'notice', type: 'text', content: { type: 'richText', richText } }
}

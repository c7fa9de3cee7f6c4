import type { ChannelBody } from '../../../schemas/channels.ts'
import type { InboundMessage } from '../messenger.ts'

const usual = {
  startOverWords: ['/start', 'start over'],
  optOutWords: ['stop', '/stop', 'unsubscribe'],
  optInWords: ['start', '/start'],
}

type WordList = keyof typeof usual

/** The words of a message, for comparison with others; undefined where it has none. */
export function wordOf({ content }: InboundMessage): string | undefined {
  switch (content.kind) {
    case 'text':
      return normal(content.text)
    case 'command':
      return normal(`/${content.command}`)
    default:
      return undefined
  }
}

/** Whether a message is one of the words of a channel: the whole of it, however it is written. */
export const isOneOf = (word: string | undefined, list: WordList, settings: ChannelBody): boolean =>
  word !== undefined && (settings[list] ?? usual[list]).some((each) => normal(each) === word)

/** The flow that a message begins, by its words or by what its sender came by; undefined where none is named. */
export function flowNamedBy(message: InboundMessage, { flows = [] }: ChannelBody): string | undefined {
  const sourceId = message.referral?.sourceId
  const byAd = flows.find(({ adIds = [] }) => sourceId !== undefined && adIds.includes(sourceId))
  return (byAd ?? flowOfWord(wordOf(message), flows))?.flow
}

/** Whether a message only says what is to begin: such a word answers nothing. */
export function isKeyword(message: InboundMessage, settings: ChannelBody): boolean {
  const word = wordOf(message)
  return isOneOf(word, 'startOverWords', settings) || flowOfWord(word, settings.flows) !== undefined
}

const flowOfWord = (word: string | undefined, flows: ChannelBody['flows'] = []) =>
  flows.find(({ words = [] }) => words.some((each) => normal(each) === word))

/** Longer ones are no word of anybody's. */
const longestWord = 100

const normal = (text: string) =>
  text
    .slice(0, 2 * longestWord)
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()

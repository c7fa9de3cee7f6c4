import type { Json, Row } from '../world.ts'
import { answered, times } from './flows.ts'

/** Characters of one message of a visitor. */
const most = 16_384

const marks = () => `a${'\u0316\u0301'.repeat(most / 2 - 1)}`
const sortedMarks = () => `a${'\u0301'.repeat(most / 2 - 1)}${'\u0316'.repeat(most / 2 - 1)}`

const choice: Json = {
  id: 'i',
  type: 'choice input',
  items: times(200, (nth) => ({ id: `c${nth}`, content: `Choice ${nth}` })),
}

const many: Json = { ...choice, options: { isMultipleChoice: true } }

const cards: Json = {
  id: 'i',
  type: 'cards',
  items: times(100, (nth) => ({
    id: `c${nth}`,
    title: `Card ${nth}`,
    paths: [{ id: `p${nth}`, text: `Take ${nth}` }],
  })),
}

const input = (type: string, options: Json = {}): Json => ({ id: 'i', type, options })

const repeated = (text: string) => () => text.repeat(most / text.length)

/** What a visitor may say. */
export const replies: readonly Row[] = [
  answered('marks to a choice', [choice], marks),
  answered('marks in a bad order to several choices', [many], sortedMarks),
  answered('marks to cards', [cards], sortedMarks),
  answered('marks to a text', [input('text input')], sortedMarks),
  answered('labels to several choices', [many], repeated('Choice 1, ')),
  answered('separators to several choices', [many], repeated(', ')),
  answered('days to a date', [input('date input')], repeated('monday ')),
  answered('numbers to a date', [input('date input', { isRange: true })], repeated('1/1/2026 to ')),
  answered(
    'hours to a date with a time',
    [input('date input', { hasTime: true })],
    repeated('at 10:30 pm in 3 '),
  ),
  answered('digits to a date', [input('date input')], repeated('1')),
  answered('digits to a time', [input('time input')], repeated('12:30 ')),
  answered('digits to a number', [input('number input')], repeated('1')),
  answered('digits to a phone number', [input('phone number input')], repeated('1')),
  answered('signs to a phone number', [input('phone number input')], repeated('+1 (')),
  answered('an e-mail address', [input('email input')], () => `${'a.'.repeat(most / 2 - 4)}b@c.de`),
  answered('domains to an e-mail address', [input('email input')], () => `a@${'b.'.repeat(most / 2 - 4)}c`),
  answered('an address', [input('url input')], () => `https://a.example/${'%41/../'.repeat(2_300)}`),
  answered('a host name', [input('url input')], () => `https://${'xn--a.'.repeat(2_700)}`),
  answered('a rating', [input('rating input')], repeated('5')),
  answered('files', [input('file input', { isMultipleAllowed: true })], repeated('https://a.example/b, ')),
]

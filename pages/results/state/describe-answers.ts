import { duration } from './figures.ts'
import type { FlowOutline, OutlineBlock, Result } from './wire.ts'

/** A column of the table of answers. */
export interface Column {
  readonly key: string
  readonly title: string
  /** Whether it is there until somebody chooses columns. */
  readonly isUsual: boolean
  /** Whether its values are short, and stand on one line. */
  readonly isShort: boolean
  /** Values of a result, each a line. */
  read(result: Result): readonly string[]
  /** What results are sorted by; of several values the first. Undefined for a result without one. */
  rank(result: Result): string | number | undefined
}

const states = {
  imported: 'Imported',
  completed: 'Completed',
  started: 'Not completed',
  visited: 'No answer',
}

export function stateOf({ hasStarted, isCompleted, isImported }: Result): string {
  if (isImported) return states.imported
  if (isCompleted) return states.completed
  return hasStarted ? states.started : states.visited
}

export const questionsOf = ({ blocks }: FlowOutline): readonly OutlineBlock[] =>
  blocks.filter(({ kind }) => kind === 'question')

/** An answer in the words of the choice that was made. */
export function answerInWords({ items = [] }: OutlineBlock, content: string): string {
  const words = new Map(items.map((item) => [item.value, item.words]))
  const whole = words.get(content)
  if (whole !== undefined) return whole
  // Several choices are joined so.
  const parts = content.split(', ')
  return parts.every((part) => words.has(part)) ? parts.map((part) => words.get(part)).join(', ') : content
}

/** A time as people here write it. */
export const inWords = (time: string) =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** The columns of a flow: facts, a question each, what it keeps beside the answers. */
export function columnsOf(outline: FlowOutline): readonly Column[] {
  return [
    { ...fact('created', 'Begun', ({ createdAt }) => inWords(createdAt)), rank: begun, isUsual: true },
    { ...fact('state', 'State', stateOf), isUsual: true },
    ...questionsOf(outline).map((block) => answerColumn(block)),
    ...outline.variables.map((name) => ({
      ...fact(`variable ${name}`, name, (result) => variableOf(name, result)),
      isShort: false,
    })),
    { ...fact('locale', 'Language', ({ locale = '' }) => locale), isUsual: outline.locales.length > 1 },
    { ...fact('updated', 'Last changed', ({ updatedAt }) => inWords(updatedAt)), rank: changed },
    {
      ...fact('lasted', 'Lasted', (result) => duration(secondsOf(result))),
      rank: secondsOf,
    },
    fact('conversation', 'Conversation', ({ conversation }) => conversation),
  ]
}

const begun = ({ createdAt }: Result) => Date.parse(createdAt)
const changed = ({ updatedAt }: Result) => Date.parse(updatedAt)
const secondsOf = (result: Result) => (changed(result) - begun(result)) / 1000

function fact(key: string, title: string, read: (result: Result) => string): Column {
  const rank = (result: Result) => read(result) || undefined
  return { key, title, isUsual: false, isShort: true, read: (result) => [read(result)], rank }
}

function answerColumn(block: OutlineBlock): Column {
  const read = (result: Result) => answersTo(block, result)
  const isNumber = /^(?:number|rating) input$/.test(block.type)
  return {
    key: `answer ${block.id}`,
    title: block.words,
    isUsual: true,
    isShort: false,
    read,
    rank(result) {
      const [text] = read(result)
      return isNumber && text !== undefined && text !== '' ? Number(text) : text || undefined
    },
  }
}

/** The answers to a question, with what was attached to them. */
export function answersTo(block: OutlineBlock, { answers }: Result): readonly string[] {
  return answers
    .filter(({ blockId }) => blockId === block.id)
    .flatMap(({ content, attachedFileUrls = [] }) => [
      ...(block.type === 'file input' ? content.split(', ') : [answerInWords(block, content)]),
      ...attachedFileUrls,
    ])
}

function variableOf(name: string, { variables }: Result): string {
  const value = variables.find((one) => one.name === name)?.value
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}

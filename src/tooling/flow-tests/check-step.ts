import type { FlowTestStep } from '../../../schemas/flow-test.ts'
import type { AskedOfWorld } from '../../conversations/effects/mocks/mock-world.ts'
import { holdsJson } from '../../conversations/effects/mocks/rule-texts.ts'
import { parseRedacted } from '../../conversations/effects/redact-secrets.ts'
import type { PathPoint } from './path.ts'
import type { PlayedTurn, TestConversation } from './test-conversation.ts'
import { ComparisonError, isPattern, messageInOneLine, messageText, TextComparer } from './texts.ts'

/** Turn, path and transcript that a step is checked against. */
interface CheckedMoment {
  readonly conversation: TestConversation
  readonly turn: PlayedTurn
  /** Passed since the last step that looked at the path. */
  readonly path: readonly PathPoint[]
  /** Asked of the world since something was last said. */
  readonly asked: readonly AskedOfWorld[]
  /** Whether messages may be left out. */
  readonly isLoose: boolean
}

/** The reason why a step does not hold; undefined when it does. */
export function checkStep(step: FlowTestStep, moment: CheckedMoment): string | undefined {
  try {
    return check(step, { ...moment, texts: new TextComparer() })
  } catch (error) {
    if (error instanceof ComparisonError) return error.message
    throw error
  }
}

interface Moment extends CheckedMoment {
  readonly texts: TextComparer
}

function check(step: FlowTestStep, moment: Moment): string | undefined {
  if (step.sees !== undefined) return checkSeen(step.sees, moment)
  if (step.asks !== undefined) return checkAsked(step.asks, moment)
  if (step.refused !== undefined) return checkRefused(step.refused, moment)
  if (step.called !== undefined) return checkCalled(step.called, moment)
  if (step.mailed !== undefined) return checkMailed(step.mailed, moment)
  if (step.vars !== undefined) return checkVars(step.vars, moment)
  if (step.went !== undefined) return checkWent(listOf(step.went), moment.path)
  if (step.progress !== undefined) return checkProgress(step.progress, moment.turn)
  if (step.logs !== undefined) return checkLogs(listOf(step.logs), moment)
  return undefined
}

const listOf = <T>(given: T | readonly T[]): readonly string[] =>
  (Array.isArray(given) ? given : [given]).map(String)

const quoted = (texts: readonly string[]) =>
  texts.length === 0 ? 'nothing' : texts.map((text) => JSON.stringify(text)).join(', ')

function checkSeen(sees: NonNullable<FlowTestStep['sees']>, { turn, isLoose, texts }: Moment) {
  const wanted = typeof sees === 'string' ? [sees] : sees
  const shown = turn.messages
  let at = 0
  for (const [index, one] of wanted.entries()) {
    const fits = (message: (typeof shown)[number] | undefined) => {
      if (!message) return false
      if (typeof one === 'string') return message.type === 'text' && texts.fits(one, messageText(message))
      const [[type, text] = ['', '']] = Object.entries(one)
      return message.type === type && texts.fits(text, messageText(message))
    }
    if (isLoose) while (at < shown.length && !fits(shown[at])) at += 1
    const message = shown[at]
    if (!fits(message)) {
      const number = wanted.length > 1 ? `message ${index + 1}: ` : ''
      return `${number}expected ${JSON.stringify(one)}, saw ${message ? JSON.stringify(messageInOneLine(message)) : 'nothing'}`
    }
    at += 1
  }
  const more = shown.slice(at).map(messageInOneLine)
  return !isLoose && more.length > 0 ? `saw more than expected: ${quoted(more)}` : undefined
}

/** The labels of an input's items. */
export function labelsOf(input: PlayedTurn['input']): string[] {
  const { items = [] } = (input ?? {}) as { items?: readonly ItemLike[] }
  return items.map(({ content, title, value, id }) => content ?? title ?? value ?? id)
}

export interface ItemLike {
  readonly id: string
  readonly content?: string | null
  readonly title?: string | null
  readonly value?: string | null
  readonly paths?: readonly { readonly id: string; readonly text?: string | null }[]
}

function checkAsked(asks: NonNullable<FlowTestStep['asks']>, { turn, conversation, texts }: Moment) {
  const { type, items } = typeof asks === 'string' ? { type: asks, items: undefined } : asks
  const { input } = turn
  const asked = input?.type ?? conversation.awaited
  if (type !== undefined && type !== asked) return `expected ${type}, asked for ${asked}`
  if (!items) return undefined
  const labels = labelsOf(input)
  const isAlike =
    labels.length === items.length && items.every((item, index) => texts.fits(item, labels[index] ?? ''))
  return isAlike ? undefined : `expected the items ${quoted(items)}, saw ${quoted(labels)}`
}

function checkRefused(refused: boolean | string, { turn, texts }: Moment) {
  const wasRefused = turn.steps.some(({ reply }) => reply?.outcome === 'refused')
  if (wasRefused !== (refused !== false))
    return wasRefused ? 'the answer was refused' : 'the answer was not refused'
  if (typeof refused !== 'string') return undefined
  const [message] = turn.messages
  const text = message ? messageText(message) : ''
  return texts.fits(refused, text)
    ? undefined
    : `expected ${JSON.stringify(refused)}, refused with ${JSON.stringify(text)}`
}

/** A call to the world, as a test describes it. */
function describeAsked({ effect }: AskedOfWorld) {
  switch (effect.type) {
    case 'request': {
      const { method, url, body } = effect.request
      return { method, url, text: body ?? '' }
    }
    case 'callVendor': {
      const { vendor, method, path, json, form } = effect.call
      const sent = json ?? (form && Object.fromEntries(form))
      return { vendor, method, url: path, text: sent === undefined ? '' : JSON.stringify(sent) }
    }
    case 'complete':
      return {
        model: String(effect.completion.body['model'] ?? ''),
        text: JSON.stringify(effect.completion.body),
      }
    case 'mail': {
      const { to, cc, bcc, subject = '', text, html } = effect.mail
      return { to: [...to, ...cc, ...bcc].join(', '), subject, text: text ?? html ?? '' }
    }
  }
}

/** One line for a report. */
export function lineOfAsked(asked: AskedOfWorld): string {
  return Object.entries(describeAsked(asked))
    .filter(([, value]) => value !== '')
    .map(([name, value]) => (name === 'text' ? value.slice(0, 200) : value))
    .join(' ')
}

function holdsFields(
  wanted: Readonly<Record<string, unknown>>,
  asked: AskedOfWorld,
  texts: TextComparer,
): boolean {
  const given: Readonly<Record<string, string | undefined>> = describeAsked(asked)
  return Object.entries(wanted).every(([name, value]) => {
    if (name === 'json') return holdsJson(value, bodyOf(given['text'] ?? '', texts))
    const text = given[name]
    return (
      text !== undefined &&
      (texts.fits(String(value), text) ||
        (name !== 'method' && name !== 'vendor' && isPart(String(value), text)))
    )
  })
}

function bodyOf(text: string, texts: TextComparer): unknown {
  texts.spend(text.length / 8)
  return parseRedacted(text, [])?.value
}

/** Addresses and bodies are long: a plain part of them is enough. */
const isPart = (wanted: string, text: string) =>
  !isPattern(wanted) && !wanted.includes('…') && text.includes(wanted)

function checkCalled(called: NonNullable<FlowTestStep['called']>, { asked, texts }: Moment) {
  const calls = asked.filter(({ effect }) => effect.type !== 'mail')
  if (calls.some((call) => holdsFields(called, call, texts))) return undefined
  return `expected a call like ${JSON.stringify(called)}, called ${quoted(calls.map(lineOfAsked))}`
}

function checkMailed(mailed: NonNullable<FlowTestStep['mailed']>, { asked, texts }: Moment) {
  const mails = asked.filter(({ effect }) => effect.type === 'mail')
  if (mails.some((mail) => holdsFields(mailed, mail, texts))) return undefined
  return `expected a mail like ${JSON.stringify(mailed)}, mailed ${quoted(mails.map(lineOfAsked))}`
}

function checkVars(vars: Readonly<Record<string, unknown>>, { conversation, texts }: Moment) {
  for (const [name, wanted] of Object.entries(vars)) {
    const value = conversation.valueOf(name)
    if (value === undefined) return `the flow declares no variable ${JSON.stringify(name)}`
    const given = value ?? ''
    const fits =
      Array.isArray(given) || typeof wanted === 'object'
        ? wanted === null
          ? given === ''
          : JSON.stringify(given) === JSON.stringify(Array.isArray(wanted) ? wanted.map(String) : wanted)
        : texts.fits(String(wanted), String(given))
    if (!fits) return `${name}: expected ${JSON.stringify(wanted)}, is ${JSON.stringify(value)}`
  }
  return undefined
}

function checkWent(wanted: readonly string[], path: readonly PathPoint[]) {
  let at = 0
  for (const name of wanted) {
    const found = path.findIndex(({ names }, index) => index >= at && names.includes(name))
    if (found < 0)
      return `${JSON.stringify(name)} was not passed${at > 0 ? ' after that' : ''}; the path: ${quoted(path.flatMap(({ kind, names }) => (kind === 'group' ? names.slice(-1) : [])))}`
    at = found + 1
  }
  return undefined
}

function checkProgress(wanted: number, { progress }: PlayedTurn) {
  const given = progress === undefined ? undefined : Math.round(progress * 100) / 100
  return given === wanted ? undefined : `expected ${wanted}, is ${given ?? 'not told'}`
}

function checkLogs(wanted: readonly string[], { turn, texts }: Moment) {
  const given = turn.logs.map(({ description }) => description)
  const missing = wanted.find((text) => !given.some((log) => texts.fits(text, log)))
  return missing === undefined
    ? undefined
    : `expected the log ${JSON.stringify(missing)}, logged ${quoted(given)}`
}

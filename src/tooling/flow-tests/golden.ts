import type { FlowTest } from '../../../schemas/flow-test.ts'
import { labelsOf, lineOfAsked } from './check-step.ts'
import { sayTo, type TestFailure } from './run-steps.ts'
import type { PlayedTurn, TestConversation } from './test-conversation.ts'
import { messageInOneLine } from './texts.ts'

interface Transcript {
  readonly text: string
  readonly failures: readonly TestFailure[]
  /** Each turn, and the index of its first line. */
  readonly turns: readonly { readonly turn: PlayedTurn; readonly line: number }[]
}

/** Writes a conversation as a transcript in Markdown. */
export async function transcribe(
  conversation: TestConversation,
  says: NonNullable<FlowTest['says']>,
  { pointer, onTurn }: { readonly pointer: string; onTurn(turn: PlayedTurn): void },
): Promise<Transcript> {
  const turn = await conversation.start()
  onTurn(turn)
  const lines = linesOfTurn(turn)
  const turns = [{ turn, line: 0 }]
  for (const [index, said] of says.entries()) {
    const next = await sayTo(conversation, said)
    if (typeof next === 'string') {
      const failure = { pointer: `${pointer}/${index}`, message: next }
      return { text: lines.join('\n'), failures: [failure], turns }
    }
    onTurn(next)
    turns.push({ turn: next, line: lines.length })
    lines.push(`**You** ${typeof said === 'object' ? JSON.stringify(said) : said}`, '', ...linesOfTurn(next))
  }
  if (!conversation.isWaiting) lines.push('_The conversation is over._', '')
  return { text: lines.join('\n'), failures: [], turns }
}

function linesOfTurn({ messages, input, logs, asked }: PlayedTurn): string[] {
  const labels = labelsOf(input)
  return [
    ...asked.flatMap((one) => [`> [${one.effect.type}] ${lineOfAsked(one)}`, '']),
    ...messages.flatMap((message) => [`**Bot** ${messageInOneLine(message)}`, '']),
    ...logs
      .filter(({ status }) => status === 'error')
      .flatMap(({ description }) => [`> [error] ${description}`, '']),
    ...(input ? [`> [${input.type}]${labels.length > 0 ? ` ${labels.join(' · ')}` : ''}`, ''] : []),
  ]
}

/** The first line in which a transcript differs from the golden one, and the turn that it is of; undefined when none does. */
export function compareTranscripts(
  kept: string,
  { text, turns }: Transcript,
): { readonly message: string; readonly turn: PlayedTurn | undefined } | undefined {
  const [before, after] = [kept.trimEnd().split(/\r?\n/), text.trimEnd().split('\n')]
  const index = Array.from({ length: Math.max(before.length, after.length) }).findIndex(
    (_, at) => before[at] !== after[at],
  )
  if (index < 0) return undefined
  const quote = (line: string | undefined) => (line === undefined ? 'nothing' : JSON.stringify(line))
  const message = `line ${index + 1} was ${quote(before[index])}, is ${quote(after[index])} (--update writes it anew)`
  return { message, turn: turns.findLast(({ line }) => line <= index)?.turn }
}

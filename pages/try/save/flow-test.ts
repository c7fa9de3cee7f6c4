import type { Client, ContinueAnswer, Message, PreviewBody, UserMessage } from '../../../client/client.ts'
import { goesOut, type PinnedRule, ruleOf } from '../state/mock-rules.ts'
import { type Moment, momentOf } from '../state/moments.ts'

interface Tried {
  readonly client: Client
  /** What the conversation was started with. */
  readonly body: PreviewBody
  readonly moments: readonly Moment[]
  /** The name of the flow's file. */
  readonly flow: string
}

type Step = Readonly<Record<string, unknown>>

/**
 * The conversation as a file for `flow-runtime test`. It is held once more, without calling anybody, with texts as tests
 * read them: what is written down is what the flow does in the world that the file describes.
 */
export async function writeFlowTest({ client, body, moments, flow }: Tried): Promise<string> {
  if (body.startFrom) throw new Error('A test begins at the start of the flow: start again without a group')
  if (moments.some(({ isElsewhere }) => isElsewhere))
    throw new Error('What was said in another tab is not known here: start again, and save that')
  if (moments.some(({ said }) => said?.set))
    throw new Error('A test has no words for variables that are set in the middle: set them from the start')
  const { record, ...rest } = body
  const mocks = body.mocks ?? worldOf(moments)
  const format = 'markdown'
  const start: PreviewBody = { ...rest, mocks, textBubbleContentFormat: format }
  const { conversation, answer } = await client.startPreview(flow, start)
  const steps = stepsOf(answer)
  let { actsAfterSeconds } = answer
  for (const { said } of moments.slice(1)) {
    const { message, isTimer, isGivenBack } = said ?? {}
    if (isGivenBack) {
      await conversation.giveBack()
      const { messages = [], ...state } = await conversation.look()
      steps.push({ operator: { status: 'open' } }, ...stepsOf({ ...state, messages }))
      actsAfterSeconds = state.actsAfterSeconds
      continue
    }
    const turn = await (isTimer ? conversation.skipToTimer() : conversation.reply(message, { format }))
    steps.push(isTimer ? { after: `${actsAfterSeconds}s` } : { says: wordsOf(message) }, ...stepsOf(turn))
    actsAfterSeconds = turn.actsAfterSeconds
  }
  return fileOf({
    flow,
    mocks: rulesFor(mocks, moments),
    vars: body.prefilledVariables ?? {},
    moments,
    steps,
  })
}

/** What answered a conversation that was held for real: as far as its trace shows the answers. */
function worldOf(moments: readonly Moment[]): NonNullable<PreviewBody['mocks']> {
  const rules = moments.flatMap(({ trace }) =>
    (trace?.steps ?? []).flatMap(({ block, calls = [] }) => calls.map((call) => ruleOf(call, block.blockId))),
  )
  const ofKind = (kind: PinnedRule['kind']) =>
    rules.flatMap((rule) => (rule?.kind === kind ? [{ ...JSON.parse(rule.text), times: 1 }] : []))
  const clock = moments[0]?.trace?.startedAt
  const lists = { http: ofKind('http'), vendors: ofKind('vendors'), models: ofKind('models') }
  const used = Object.entries(lists).filter(([, list]) => list.length > 0)
  return { ...Object.fromEntries(used), ...(clock !== undefined && { clock }), seed: 1, ids: 'count' }
}

/** A test fails for calls that no rule fits, unless its file says otherwise. */
function rulesFor(mocks: NonNullable<PreviewBody['mocks']>, moments: readonly Moment[]) {
  const calls = moments.flatMap(({ trace }) => (trace?.steps ?? []).flatMap(({ calls: made = [] }) => made))
  return calls.some(goesOut) ? { ...mocks, unmatched: 'answer' } : mocks
}

function stepsOf(answer: Omit<ContinueAnswer, 'logs'>): Step[] {
  const { messages, trace } = answer
  const { asks } = momentOf(undefined, answer)
  const steps: Step[] = []
  const refused = trace?.steps.some(({ reply }) => reply?.outcome === 'refused')
  if (refused) steps.push({ refused: true })
  if (messages.length > 0) steps.push({ sees: messages.map(seenOf) })
  const groups = (trace?.steps ?? []).map(({ block }) => block.groupId)
  const way = groups.filter((group, index) => group !== groups[index - 1])
  if (way.length > 0) steps.push({ went: way })
  const vars = valuesIn(trace)
  if (Object.keys(vars).length > 0) steps.push({ vars })
  if (asks === 'nothing' || asks === 'time' || asks === 'person') steps.push({ asks })
  else if (asks !== 'an action') steps.push({ asks: asks.type })
  return steps
}

function seenOf({ type, content }: Message): string | Step {
  const { markdown = '', url = '' } = content as { readonly markdown?: string; readonly url?: string }
  return type === 'text' ? markdown.trim() : { [type]: url }
}

/** Texts of a trace end there. */
const longestText = 1000

/** What the turn has written in the flow that it ended in: tests look at the variables of that one. */
function valuesIn(trace: ContinueAnswer['trace']): Readonly<Record<string, string>> {
  const { steps = [] } = trace ?? {}
  const flowId = steps.at(-1)?.block.flowId
  const written = steps
    .filter(({ block }) => block.flowId === flowId)
    .flatMap(({ wrote = [] }) => wrote.map(({ variable, after }) => [variable, after] as const))
  const isKept = (value: unknown): value is string => typeof value === 'string' && value.length < longestText
  return Object.fromEntries(
    [...new Map(written)].filter(
      (pair): pair is [string, string] => isKept(pair[1]) && !/^\/.+\/[a-z]*$/s.test(pair[1]),
    ),
  )
}

function wordsOf(message: UserMessage | undefined): unknown {
  if (message === undefined || typeof message === 'string') return message ?? null
  if (message.type === 'command') return { command: message.command }
  if (message.type === 'audio') return message.url
  const { text, metadata, attachedFileUrls: files } = message
  const item = metadata?.replyId
  if (item === undefined && !files?.length) return text
  return { text, ...(item !== undefined && { item }), ...(files?.length && { files }) }
}

interface Written {
  readonly flow: string
  readonly mocks: object
  readonly vars: Readonly<Record<string, unknown>>
  readonly moments: readonly Moment[]
  readonly steps: readonly Step[]
}

/** JSON is YAML too: each field stands on a line of its own, which a review can read. */
function fileOf({ flow, mocks, vars, moments, steps }: Written): string {
  const words = moments.flatMap(({ said }) => (said?.shown ? [said.shown] : []))
  const title = (words.length > 0 ? words.join(', ') : 'the start').slice(0, 150)
  const lines = [
    `flow: ${JSON.stringify(flow)}`,
    ...Object.entries(mocks).map(([field, value]) => `${field}: ${JSON.stringify(value)}`),
    'tests:',
    `  - name: ${JSON.stringify(title)}`,
    ...(Object.keys(vars).length > 0 ? [`    vars: ${JSON.stringify(vars)}`] : []),
    '    steps:',
    ...steps.flatMap((step) =>
      Object.entries(step).map(([field, value]) => `      - ${field}: ${JSON.stringify(value)}`),
    ),
  ]
  return `${lines.join('\n')}\n`
}

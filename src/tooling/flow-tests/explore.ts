import type { Flow } from '../../../schemas/flow.ts'
import type { FlowTest } from '../../../schemas/flow-test.ts'
import type { Input } from '../../../schemas/input.ts'
import type { Mocks } from '../../../schemas/mocks.ts'
import type { ItemLike } from './check-step.ts'
import { type FlowMap, type WayPoint, wayOf } from './path.ts'
import { cutMessage, missedIn, sayTo, type TestFailure } from './run-steps.ts'
import type { PlayedTurn, TestConversation } from './test-conversation.ts'

/** Acts of a person who leads the conversation, or is waited for. */
const ofPerson = ['gives it back', 'does not come'] as const
type Reply = NonNullable<FlowTest['says']>[number] | { readonly person: (typeof ofPerson)[number] }
type Explore = NonNullable<FlowTest['explore']>

interface ExploreTerms {
  readonly flow: Flow
  readonly map: FlowMap
  readonly mocks: Mocks
  readonly expect: NonNullable<FlowTest['expect']>
  readonly pointer: string
  /** Conversations that are held at most. */
  readonly mostWays: number
  open(mocks: Mocks, vars: Readonly<Record<string, unknown>>): TestConversation
  onTurn(turn: PlayedTurn): void
  /** Lets others be served; whether the time for it is over. */
  yieldToEventLoop(): Promise<boolean>
}

interface Exploration {
  readonly ways: number
  /** Whether there were more ways than were walked. */
  readonly isCut: boolean
  readonly failures: readonly TestFailure[]
  readonly notes: readonly string[]
}

type Finding = 'errors' | 'unfinished' | 'deadEnds' | 'unreached'
const mostNamed = 10
const usually: Readonly<Record<Finding, 'none' | 'any'>> = {
  errors: 'none',
  unfinished: 'any',
  deadEnds: 'any',
  unreached: 'any',
}

/**
 * Walks every way: each item of each choice, each other input with the answers that are given, or that fit its type, up to
 * a number of answers, from each of the first values that are given. A place that was reached with the same values before
 * is not walked again. Conversations are played from their start, as a turn changes them in place.
 */
export async function exploreFlow(
  { depth = 20, says = {}, vars = {} }: Explore,
  terms: ExploreTerms,
): Promise<Exploration> {
  const found = createFindings(terms)
  const { mostWays } = terms
  let [ways, isCut] = [0, false]
  for (const world of worldsOf(terms.mocks, vars)) {
    const seen = new Set<string>()
    const open: Reply[][] = [[]]
    // The shortest ways first, so that a place is met with the most answers left.
    for (const path of open) {
      const played = ways < mostWays ? await play(path, world, terms) : undefined
      isCut ||= !played
      if (!played) break
      ways += 1
      found.look(played, path)
      const { conversation, turn, problem } = played
      const { isWaiting, state } = conversation
      if (problem !== undefined || !isWaiting || seen.has(state)) continue
      seen.add(state)
      if (path.length >= depth) {
        found.add('unfinished', `more than ${depth} answers`, { path, turn })
        continue
      }
      // More than one beyond those that are walked is never looked at.
      const options = optionsFor(turn.input, conversation, says).slice(0, mostWays + 1 - open.length)
      open.push(...options.map((said) => [...path, said]))
    }
    if (isCut) break
  }
  return { ways, isCut, ...judge(found.all, terms) }
}

/** Start of every conversation. */
interface World {
  readonly mocks: Mocks
  readonly vars: Readonly<Record<string, unknown>>
}

/** Chance that nothing fixes is tried at both ends, so that both paths of a test are walked, with each set of first values. */
function* worldsOf(mocks: Mocks, vars: NonNullable<Explore['vars']>): Generator<World> {
  const isFixed = mocks.random !== undefined || mocks.seed !== undefined
  for (const first of combinationsOf(Object.entries(vars))) {
    if (isFixed) yield { mocks, vars: first }
    else {
      for (const number of [0, 0.999])
        yield { mocks: { ...mocks, random: Array<number>(100).fill(number) }, vars: first }
    }
  }
}

function* combinationsOf(
  all: readonly (readonly [string, readonly unknown[]])[],
): Generator<Readonly<Record<string, unknown>>> {
  const [first, ...rest] = all
  if (!first) return yield {}
  const [name, values] = first
  for (const value of values) for (const others of combinationsOf(rest)) yield { [name]: value, ...others }
}

interface WayEnd {
  readonly conversation: TestConversation
  readonly turn: PlayedTurn
  /** The reason why the last of the answers could not be given. */
  readonly problem?: string
}

/** Undefined when the time is over. */
async function play(
  path: readonly Reply[],
  { mocks, vars }: World,
  { open, onTurn, yieldToEventLoop }: ExploreTerms,
): Promise<WayEnd | undefined> {
  if (await yieldToEventLoop()) return undefined
  const conversation = open(mocks, vars)
  let turn = await conversation.start()
  if (path.length === 0) onTurn(turn)
  for (const [index, said] of path.entries()) {
    if (await yieldToEventLoop()) return undefined
    const next = await playOne(conversation, said)
    if (typeof next === 'string') return { conversation, turn, problem: next }
    turn = next
    // The earlier turns were counted by the way that they belong to.
    if (index === path.length - 1) onTurn(turn)
  }
  return { conversation, turn }
}

async function playOne(conversation: TestConversation, said: Reply): Promise<PlayedTurn | string> {
  if (!said || typeof said !== 'object' || !('person' in said)) return sayTo(conversation, said)
  const late = said.person === 'does not come' ? await conversation.passDeadline() : undefined
  return late ?? conversation.operate({ status: 'open' })
}

/** Findings by their kinds, with the blocks that led there. */
type Findings = Readonly<Record<Finding, ReadonlyMap<string, readonly WayPoint[]>>>

function createFindings({ flow: { groups }, map }: ExploreTerms) {
  const titleOf = ({ id, title }: Pick<Flow['groups'][number], 'id' | 'title'>) => title || id
  const titles = new Map(groups.map((group) => [group.id, titleOf(group)]))
  const all = {
    errors: new Map<string, readonly WayPoint[]>(),
    unfinished: new Map<string, readonly WayPoint[]>(),
    deadEnds: new Map<string, readonly WayPoint[]>(),
    unreached: new Map(groups.map((group, index) => [titleOf(group), beginningOf(group, index)])),
  }
  const add = (kind: Finding, what: string, { path, turn }: { path: readonly Reply[]; turn: PlayedTurn }) => {
    const text = cutMessage(`${what} ${afterOf(path)}`)
    if (!all[kind].has(text)) all[kind].set(text, wayOf(turn, map))
  }
  return {
    all: all as Findings,
    add,
    /** Notes the findings of a way's last turn. */
    look({ conversation, turn, problem }: WayEnd, path: readonly Reply[]): void {
      const end = { path, turn }
      for (const { block } of turn.steps) all.unreached.delete(titles.get(block.group.id) ?? '')
      for (const { status, description } of turn.logs) if (status === 'error') add('errors', description, end)
      const missed = problem ?? missedIn(turn)
      if (missed !== undefined) add('errors', missed, end)
      const isSilent = turn.messages.length === 0 && turn.actions === 0
      if (problem === undefined && !conversation.isWaiting && isSilent && path.length > 0)
        add('deadEnds', 'the conversation ends without a word', end)
    },
  }
}

function beginningOf({ blocks }: Flow['groups'][number], index: number): readonly WayPoint[] {
  const [first] = blocks
  const pointer = `/groups/${index}/blocks/0`
  return first ? [{ pointer, blockId: first.id, blockType: first.type, went: [] }] : []
}

function optionsFor(
  input: Input | undefined,
  { waitingBlock, waitingHandler, isPaused }: TestConversation,
  says: NonNullable<Explore['says']>,
): readonly Reply[] {
  if (isPaused) return ofPerson.map((person) => ({ person }))
  const given = says[waitingBlock ?? ''] ?? (input && says[input.type])
  if (given) return given
  if (!input) return [null]
  const { items } = input as { items?: readonly ItemLike[] }
  if (items?.length) return items.flatMap(choicesOf)
  return waitingHandler?.marks?.usualAnswers ?? ['']
}

/** The ways to choose an item: of a card each of its buttons. */
function choicesOf({ id, content, title, value, paths }: ItemLike): Reply[] {
  if (paths?.length) return paths.map((path) => ({ text: path.text ?? '', item: path.id }))
  return [{ text: content ?? title ?? value ?? '', item: id }]
}

const afterOf = (path: readonly Reply[]) =>
  path.length === 0 ? 'at the start' : `after ${path.map(textOfSaid).join(' → ')}`

const textOfSaid = (said: Reply) =>
  said && typeof said === 'object' && 'person' in said
    ? `(a person ${said.person})`
    : typeof said === 'object'
      ? said?.text || said?.item || said?.command || '(nothing)'
      : said || '(nothing)'

function judge(found: Findings, { expect, pointer }: ExploreTerms) {
  const failures: TestFailure[] = []
  const notes: string[] = []
  for (const [kind, all] of Object.entries(found) as [Finding, Findings[Finding]][]) {
    const named = [...all].slice(0, mostNamed).map(([text, way]) => ({
      message: `${kind}: ${kind === 'unreached' ? `nobody reaches "${text}"` : text}`,
      way,
    }))
    const more = all.size - named.length
    const lines = more > 0 ? [...named, { message: `${kind}: … and ${more} more` }] : named
    if ((expect[kind] ?? usually[kind]) === 'none')
      failures.push(...lines.map((line) => ({ pointer: `${pointer}/explore`, ...line })))
    else notes.push(...lines.map(({ message }) => message))
  }
  return { failures, notes }
}

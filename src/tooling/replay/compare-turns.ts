import { jsonIn } from '../../lib/json-bounds.ts'
import type { RecordedTurn } from '../../sessions/recorded-session.ts'
import type { Divergence } from './divergence.ts'

type Difference = Omit<Divergence, 'turn'>

/** Whether two ways through a flow diverge before so many blocks were entered, and how. */
export function compareWays(
  before: readonly string[],
  now: readonly string[],
  upTo = Math.max(before.length, now.length),
): Difference | undefined {
  for (let index = 0; index < upTo; index++) {
    if (before[index] === now[index]) continue
    const [was, is] = [before[index], now[index]].map((id) => (id === undefined ? 'nowhere' : `to "${id}"`))
    return { blockId: before[index - 1], what: `the walk went ${was}, and goes ${is}` }
  }
  return undefined
}

/** The first difference between a turn and what was recorded of it. */
export function compareTurns(before: RecordedTurn, now: RecordedTurn): Difference | undefined {
  const difference = compareWays(before.blocks, now.blocks) ?? compareEffects(before, now)
  if (difference) return difference
  if (before.response !== now.response) return compareResponses(before, now)
  if (before.left === now.left) return undefined
  return { blockId: before.blocks.at(-1), what: 'what the session remembers is no longer the same' }
}

/** Those that were asked were the same. */
function compareEffects(before: RecordedTurn, now: RecordedTurn): Difference | undefined {
  const missing = before.effects[now.effects.length]
  if (!missing) return undefined
  return {
    blockId: before.blocks[missing.blocks - 1],
    what: `it asked for ${missing.type}, and does no more`,
  }
}

function compareResponses(before: RecordedTurn, now: RecordedTurn): Difference {
  const [was, is] = [before, now].map(({ response }) => jsonIn(response))
  const path = firstDifference(was, is) ?? []
  const [part, index] = path
  const values =
    part === 'messages' && index !== undefined ? [was, is].map((one) => valueAt(one, path.slice(0, 2))) : []
  const shown = part === 'input' ? [valueAt(was, ['input'])] : values
  const blockId = shown.map(idOf).find((id) => id !== undefined) ?? before.blocks.at(-1)
  return { blockId, what: `the response differs at /${path.join('/')}` }
}

type Path = readonly (string | number)[]

/** Path at which two JSON values first differ, in the order of the first; undefined where only the order differs. */
function firstDifference(before: unknown, now: unknown): Path | undefined {
  if (!isContainer(before) || !isContainer(now) || Array.isArray(before) !== Array.isArray(now)) {
    return Object.is(before, now) ? undefined : []
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(now)])
  for (const key of keys) {
    const inside = firstDifference(valueAt(before, [key]), valueAt(now, [key]))
    if (inside) return [key, ...inside]
  }
  return undefined
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inside, key) => (isContainer(inside) ? (inside as Record<string | number, unknown>)[key] : undefined),
    value,
  )

const idOf = (shown: unknown): string | undefined => {
  const id = valueAt(shown, ['id'])
  return typeof id === 'string' ? id : undefined
}

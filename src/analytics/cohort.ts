import { Memo } from '../engine/model/footprint.ts'
import type { Turn } from '../engine/turn/turn.ts'
import { maskOf } from '../engine/turn/turn-mask.ts'
import type { TurnTally } from '../engine/turn/turn-tally.ts'
import type { VariableDeclaration, VariableTable } from '../engine/values/variables.ts'
import type { CountedSession } from '../sessions/session.ts'

type Cohort = NonNullable<CountedSession[2]>

/** Variables in which links to a flow say where its visitors come from. */
const campaignNames = /^utm_(?:source|medium|campaign|term|content)$/

/** Values that are the label of a campaign: an address of a person is none. */
const campaignLabel = /^[\p{L}\p{N} _.+-]{1,64}$/u

const mostShares = 8

export const noCohort: Cohort = []

/**
 * Conversations that are compared with others: in the same language, on the same messenger, from the same campaign. As of the first
 * turn, without what marked variables hold.
 */
export function firstCohort(turn: Turn): Cohort {
  const { locale, channel } = turn.conversation
  const language = locale === undefined ? [] : [['locale', locale] as const]
  const messenger = channel ? [['channel', channel.messenger] as const] : []
  return [...language, ...messenger, ...campaignOf(turn)]
}

function campaignOf(turn: Turn): Cohort {
  const { variables } = turn.conversation.frames[0]
  const named = namedIn(variables.table)
  const mask = named.length > 0 ? maskOf(turn) : undefined
  return named.flatMap(({ id, name, sensitivity }) => {
    const value = variables.get(id)
    if (typeof value !== 'string' || value === '') return []
    const isMasked = sensitivity !== undefined || (mask && mask.text(value) !== value)
    return [[name, campaignLabel.test(value) && !isMasked ? value : 'other'] as const]
  })
}

const known = new Memo<VariableTable, readonly VariableDeclaration[]>(({ length }) => 8 * length)

/** The variables of a flow that a campaign may fill. */
function namedIn(table: VariableTable): readonly VariableDeclaration[] {
  const before = known.get(table)
  if (before) return before
  const named = table.all.filter(({ name }) => campaignNames.test(name))
  known.keep(table, named, table.footprint)
  return named
}

/** Those who were drawn the same ways, too: the first draw of a block decides. */
export function joinShares(cohort: Cohort, { drawn }: TurnTally): Cohort {
  if (drawn.length === 0) return cohort
  const joined = new Map(cohort)
  for (const { block, item } of drawn) {
    const name = `ab:${block}`
    const isFull = [...joined.keys()].filter((key) => key.startsWith('ab:')).length >= mostShares
    if (!joined.has(name) && !isFull) joined.set(name, item)
  }
  return [...joined]
}

import type { ResultsQuery } from '../../../schemas/result.ts'
import { timeOf } from '../../http/request/times.ts'
import { invalidInput } from '../../lib/errors.ts'
import type { ResultSelection } from '../../results/result-selection.ts'

type Selected = Omit<ResultsQuery, 'limit' | 'cursor' | 'format' | 'order'>

/** Results that a query asks for; nothing for all. Throws BAD_REQUEST for a filter that would be left out: an erasure would take all. */
export function selectionOf(selected: Selected): { readonly selection?: ResultSelection } {
  if (Object.keys(selected).length === 0) return {}
  const problems = problemsOf(selected)
  if (problems.length > 0) throw invalidInput(problems)
  const { from, until, visited, started, completed, handedOver, waiting, ...rest } = selected
  return {
    selection: {
      ...rest,
      from: timeOf('from', from),
      until: timeOf('until', until),
      visited: visited?.split(','),
      started: truthOf(started),
      completed: truthOf(completed),
      handedOver: truthOf(handedOver),
      waiting: truthOf(waiting),
    },
  }
}

function problemsOf({ answer, answeredAt, leftAt, waitingAt, atFlow, waiting }: Selected) {
  const place = leftAt ?? waitingAt
  const problem = (name: string, message: string) => [{ pointer: `/${name}`, message }]
  return [
    ...(answeredAt !== undefined && answer === undefined ? problem('answeredAt', 'needs answer') : []),
    ...(atFlow !== undefined && place === undefined ? problem('atFlow', 'needs leftAt or waitingAt') : []),
    ...(leftAt !== undefined && waitingAt !== undefined ? problem('waitingAt', 'contradicts leftAt') : []),
    ...(leftAt !== undefined && waiting === 'true' ? problem('waiting', 'contradicts leftAt') : []),
    ...(waitingAt !== undefined && waiting === 'false' ? problem('waiting', 'contradicts waitingAt') : []),
  ]
}

const truthOf = (text: 'true' | 'false' | undefined) => text && text === 'true'

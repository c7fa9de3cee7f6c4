import type { ResultsQuery } from '../../../schemas/result.ts'
import { timeOf } from '../../http/request/times.ts'
import type { ResultSelection } from '../../results/result-selection.ts'

type Selected = Omit<ResultsQuery, 'limit' | 'cursor' | 'format' | 'order'>

/** Results that a query asks for; nothing for all. */
export function selectionOf(selected: Selected): { readonly selection?: ResultSelection } {
  if (Object.keys(selected).length === 0) return {}
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

const truthOf = (text: 'true' | 'false' | undefined) => text && text === 'true'

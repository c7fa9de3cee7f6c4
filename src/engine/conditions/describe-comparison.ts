import type { TraceComparison } from '../../../schemas/trace.ts'
import type { Value } from '../values/value.ts'
import { describeSizes } from './ordering.ts'

/** Two values that were compared. */
export interface Sides {
  readonly left: Value
  readonly right: Value
}

/** Says what of two values an operator compares, for the author of the flow. */
export function describeWay(operator: string, { left, right }: Sides): Pick<TraceComparison, 'by' | 'sizes'> {
  switch (operator) {
    case 'Is set':
    case 'Is empty':
      return { by: 'presence' }
    case 'Equal to':
    case 'Not equal':
      return { by: Array.isArray(left) || Array.isArray(right) ? 'lists' : 'texts' }
    case 'Contains':
    case 'Does not contain':
      return { by: Array.isArray(left) ? 'elements' : 'parts' }
    case 'Starts with':
    case 'Ends with':
      return { by: 'parts' }
    case 'Matches regex':
    case 'Does not match regex':
      return { by: 'patterns' }
    default:
      return describeSized(left, right)
  }
}

function describeSized(left: Value, right: Value): Pick<TraceComparison, 'by' | 'sizes'> {
  const described = describeSizes(left, right)
  if (!described) return { by: 'presence' }
  return { by: described.by, sizes: described.sizes.map((size) => (Number.isFinite(size) ? size : null)) }
}

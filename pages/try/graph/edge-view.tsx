import { curveOf, type GraphEdge, type GraphModel } from '../../../src/tooling/flow-graph/graph-model.ts'
import type { EdgeTraffic } from '../../../src/tooling/flow-graph/traffic.ts'
import type { Selection } from '../state/flow-parts.ts'
import { shortNumbers } from './traversal.ts'

interface EdgeViewProps {
  readonly edge: GraphEdge
  readonly model: GraphModel
  /** Of the steps along it; undefined where it was not taken. */
  readonly numbers: readonly number[] | undefined
  /** In the place of the way that was taken: what all did. An edge that nobody took has none. */
  readonly traffic: EdgeTraffic | 'none' | undefined
  readonly isSelected: boolean
  /** Whether the conversation came to the block where it begins. */
  readonly isPassedBy: boolean
  readonly onSelect: (selection: Selection) => void
}

/** An edge as a curve, with the numbers of the steps that went along it. */
export function EdgeView({ edge, model, numbers, traffic, isSelected, isPassedBy, onSelect }: EdgeViewProps) {
  const curve = curveOf(edge, model)
  if (!curve) return null
  const { path, middle, end } = curve
  const counted = traffic === 'none' ? undefined : traffic
  const state = traffic
    ? `traffic${counted ? '' : ' not-taken'}`
    : numbers
      ? 'taken'
      : isPassedBy
        ? 'not-taken'
        : 'unknown'
  const badge = traffic ? counted?.words : numbers && shortNumbers(numbers)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot be drawn
    <g
      class={`edge ${state}${isSelected ? ' selected' : ''}`}
      role="button"
      tabindex={-1}
      aria-label={badge === undefined ? 'Edge' : `Edge, taken ${traffic ? 'by' : 'in step'} ${badge}`}
      aria-pressed={isSelected}
      data-edge={edge.id}
      onClick={() => onSelect({ kind: 'edge', edgeId: edge.id })}
    >
      <path class="reach" d={path} />
      <path class="line" d={path} style={counted && { strokeWidth: `${counted.width}px` }} />
      <path class="tip" d={`M${end.x - 9} ${end.y - 5}L${end.x} ${end.y}L${end.x - 9} ${end.y + 5}Z`} />
      {badge !== undefined && (
        <g class="badge" transform={`translate(${middle.x} ${middle.y})`}>
          <rect x={-(9 + badge.length * 3.5)} y={-10} width={18 + badge.length * 7} height={20} rx={10} />
          <text y={4.5}>{badge}</text>
        </g>
      )}
    </g>
  )
}

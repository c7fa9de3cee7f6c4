import type { Finding } from '../../../client/client.ts'
import type { Selection } from '../state/flow-parts.ts'
import type { GraphNode, GraphRow } from './graph-model.ts'
import type { Detail } from './viewport.ts'

/** What there is to say about a block. */
export interface BlockFindings {
  readonly worst: Finding['severity']
  readonly messages: readonly string[]
}

/** How a block is drawn. */
export interface BlockState {
  readonly isCurrent: boolean
  readonly isSelected: boolean
  readonly isVisited: boolean
  /** By a conversation before this one. */
  readonly wasVisited: boolean
  /** The variable that is looked at. */
  readonly reads: boolean
  readonly writes: boolean
  readonly findings: BlockFindings | undefined
}

interface NodeViewProps {
  readonly node: GraphNode
  readonly detail: Detail
  readonly stateOf: (blockId: string) => BlockState
  readonly onSelect: (selection: Selection) => void
}

const colours = ['isCurrent', 'isSelected', 'isVisited', 'wasVisited', 'reads', 'writes'] as const

const classesOf = (states: readonly BlockState[]): string =>
  colours.filter((name) => states.some((state) => state[name])).join(' ')

/** What a character takes: of a title that is drawn large, and of a row. */
const characters = { large: 17, row: 7 } as const

function cutTo(width: number, text: string, size: keyof typeof characters): string {
  const longest = Math.floor(width / characters[size])
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

/** A group with a row for each of its blocks, or an event. From afar, its title alone. */
export function NodeView({ node, detail, stateOf, onSelect }: NodeViewProps) {
  const { id, kind, title, x, y, width, height, rows, hidden } = node
  const blocks = rows.filter((row) => row.kind === 'block')
  const states = new Map(blocks.map(({ blockId }) => [blockId, stateOf(blockId)]))
  const all = [...states.values()]
  const hasErrors = all.some(({ findings }) => findings?.worst === 'error')
  const isLarge = detail !== 'rows'
  return (
    // Its own frame cuts off what is too long.
    // biome-ignore lint/a11y/useSemanticElements: nothing else groups what is drawn
    <svg
      class={`node ${kind} ${classesOf(all)}${hasErrors && isLarge ? ' hasErrors' : ''}`}
      x={x}
      y={y}
      width={width}
      height={height}
      role="group"
      aria-label={`${kind === 'event' ? 'Event' : 'Group'}: ${title}`}
      data-node={id}
    >
      <rect class="card" x={1.5} y={1.5} width={width - 3} height={height - 3} rx={10} />
      {isLarge
        ? detail === 'titles' && (
            <text class="large-title" x={width / 2} y={height / 2 + 10}>
              {cutTo(width, title, 'large')}
            </text>
          )
        : [
            <text key="title" class="title" x={14} y={23}>
              {title}
            </text>,
            ...rows.map((row, index) => (
              <RowView
                key={`${index} ${row.blockId}`}
                row={row}
                width={width}
                state={states.get(row.blockId)}
                onSelect={onSelect}
              />
            )),
            hidden > 0 && (
              <text key="hidden" class="hidden-rows" x={14} y={height - 12}>
                {hidden} more
              </text>
            ),
          ]}
    </svg>
  )
}

interface RowViewProps {
  readonly row: GraphRow
  readonly width: number
  readonly state: BlockState | undefined
  readonly onSelect: (selection: Selection) => void
}

function RowView({ row: { kind, blockId, text, type, y, height }, width, state, onSelect }: RowViewProps) {
  const middle = y + height / 2 + 4.5
  if (kind === 'item' || !state)
    return (
      <text class="item" x={30} y={middle}>
        {cutTo(width - 44, text, 'row')}
      </text>
    )
  const { isCurrent, isSelected, isVisited, findings } = state
  const says = [
    text,
    text === type ? undefined : type,
    isCurrent ? 'the conversation is here' : isVisited ? 'visited' : undefined,
    ...(findings?.messages ?? []),
  ]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot be drawn
    <g
      class={`row ${classesOf([state])}`}
      role="button"
      tabindex={isSelected || isCurrent ? 0 : -1}
      aria-pressed={isSelected}
      aria-label={says.filter((part) => part !== undefined).join(', ')}
      data-block={blockId}
      onClick={() => onSelect({ kind: 'block', blockId })}
    >
      <rect x={6} y={y + 1} width={width - 12} height={height - 2} rx={6} />
      <text x={14} y={middle}>
        {cutTo(width - (findings ? 52 : 28), text, 'row')}
      </text>
      {findings && (
        <g class={`finding ${findings.worst}`} transform={`translate(${width - 22} ${y + height / 2})`}>
          <title>{findings.messages.join('\n')}</title>
          <circle r={8} />
          <text y={4}>{findings.messages.length}</text>
        </g>
      )}
    </g>
  )
}

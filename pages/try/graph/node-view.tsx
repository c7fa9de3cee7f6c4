import type { Finding } from '../../../client/client.ts'
import type { GraphNode, GraphRow } from '../../../src/tooling/flow-graph/graph-model.ts'
import { type BlockTraffic, marksOf } from '../../../src/tooling/flow-graph/traffic.ts'
import type { Selection } from '../state/flow-parts.ts'
import { TrafficMarks } from './traffic-marks.tsx'
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
  readonly hasBreakpoint: boolean
  readonly findings: BlockFindings | undefined
  readonly traffic: BlockTraffic | undefined
}

interface NodeViewProps {
  readonly node: GraphNode
  readonly detail: Detail
  /** Of a title that stands alone. */
  readonly titleSize: number
  readonly stateOf: (blockId: string) => BlockState
  readonly onSelect: (selection: Selection) => void
  /** Has the conversation begin at a block, or at the top of a group. */
  readonly onStart: (groupId: string, blockId?: string) => void
  /** Brings a node near enough for its rows to be read. */
  readonly onOpen: (node: GraphNode) => void
}

const severities = ['error', 'warning', 'info'] as const

const worstOf = (found: readonly BlockFindings[]) =>
  severities.find((severity) => found.some(({ worst }) => worst === severity)) ?? 'info'

const colours = ['isCurrent', 'isSelected', 'isVisited', 'wasVisited', 'reads', 'writes'] as const

const classesOf = (states: readonly BlockState[]): string =>
  colours.filter((name) => states.some((state) => state[name])).join(' ')

/** What a character of a row takes. */
const character = 7

function cutTo(width: number, text: string): string {
  const longest = Math.floor(width / character)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

/** The words of a title that stands alone in a node, in as many lines as that has room for. */
function linesOf({ title, width, height }: GraphNode, size: number): readonly string[] {
  const longest = Math.max(3, Math.floor(width / (size * 0.58)))
  const most = Math.max(1, Math.floor(height / (size * 1.2)))
  const lines: string[] = []
  for (const word of title.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && `${line} ${word}`.length <= longest) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  const shown = lines
    .slice(0, most)
    .map((line) => (line.length > longest ? `${line.slice(0, longest - 1)}…` : line))
  if (lines.length > most && !shown.at(-1)?.endsWith('…')) shown.push(`${shown.pop()}…`)
  return shown
}

/** A group with a row for each of its blocks, or an event. From afar, its title alone. */
export function NodeView({ node, detail, titleSize, stateOf, onSelect, onStart, onOpen }: NodeViewProps) {
  const { id, kind, title, x, y, width, height, rows, hidden } = node
  const blocks = rows.filter((row) => row.kind === 'block')
  const states = new Map(blocks.map(({ blockId }) => [blockId, stateOf(blockId)]))
  const all = [...states.values()]
  const found = all.flatMap((state) => state.findings ?? [])
  const findings =
    found.length > 0
      ? { worst: worstOf(found), messages: found.flatMap(({ messages }) => messages) }
      : undefined
  const isLarge = detail !== 'rows'
  return (
    // Its own frame cuts off what is too long.
    // biome-ignore lint/a11y/useSemanticElements: nothing else groups what is drawn
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter and the search of blocks lead there too
    <svg
      class={`node ${kind} ${classesOf(all)}${findings?.worst === 'error' && isLarge ? ' hasErrors' : ''}`}
      x={x}
      y={y}
      width={width}
      height={height}
      role="group"
      aria-label={`${kind === 'event' ? 'Event' : 'Group'}: ${title}`}
      data-node={id}
      onClick={isLarge ? () => onOpen(node) : undefined}
    >
      <rect class="card" x={1.5} y={1.5} width={width - 3} height={height - 3} rx={10} />
      {isLarge
        ? detail === 'titles' && [
            <LargeTitle key="title" node={node} size={titleSize} />,
            findings && (
              <FindingBadge
                key="finding"
                {...findings}
                x={width - titleSize * 0.5}
                y={titleSize * 0.5}
                size={titleSize * 0.8}
              />
            ),
          ]
        : [
            <text key="title" class="title" x={14} y={23}>
              {cutTo(width - 52, title)}
            </text>,
            kind === 'group' && (
              <StartHere key="start" x={width - 22} y={18} name={title} onStart={() => onStart(id)} />
            ),
            ...rows.map((row, index) => (
              <RowView
                key={`${index} ${row.blockId}`}
                row={row}
                width={width}
                state={states.get(row.blockId)}
                onSelect={onSelect}
                onStart={() => onStart(id, row.blockId)}
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

function LargeTitle({ node, size }: { readonly node: GraphNode; readonly size: number }) {
  const lines = linesOf(node, size)
  return (
    <text class="large-title" style={{ fontSize: `${size}px` }}>
      {lines.map((line, index) => (
        <tspan
          key={index}
          x={node.width / 2}
          y={node.height / 2 + (index - lines.length / 2 + 0.8) * size * 1.2}
        >
          {line}
        </tspan>
      ))}
    </text>
  )
}

interface RowViewProps {
  readonly row: GraphRow
  readonly width: number
  readonly state: BlockState | undefined
  readonly onSelect: (selection: Selection) => void
  readonly onStart: () => void
}

function RowView({ row, width, state, onSelect, onStart }: RowViewProps) {
  const { kind, blockId, text, type, y, height } = row
  const middle = y + height / 2 + 4.5
  if (kind === 'item' || !state)
    return (
      <text class="item" x={30} y={middle}>
        {cutTo(width - 44, text)}
      </text>
    )
  const { isCurrent, isSelected, isVisited, hasBreakpoint, findings, traffic } = state
  const drawn = cutTo(width - (findings ? 76 : 52) - marksOf(traffic).length * character, text)
  const says = [
    drawn,
    text === type ? undefined : type,
    isCurrent ? 'the conversation is here' : isVisited ? 'visited' : undefined,
    hasBreakpoint ? 'breakpoint' : undefined,
    traffic?.waiting ? `${traffic.waiting} wait here now` : undefined,
    traffic?.left && `${traffic.left} left here`,
    ...(findings?.messages ?? []),
  ]
  const badgeAt = y + height / 2
  return (
    <g class={`row-line ${isSelected ? 'isSelected' : ''}`}>
      {/* biome-ignore lint/a11y/useSemanticElements: a button cannot be drawn */}
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
        {hasBreakpoint && <circle class="breakpoint" cx={7} cy={badgeAt} r={6} />}
        <text x={hasBreakpoint ? 18 : 14} y={middle}>
          {drawn}
        </text>
      </g>
      {findings && <FindingBadge {...findings} x={width - 46} y={badgeAt} size={11} />}
      {traffic && <TrafficMarks traffic={traffic} x={width - 38} y={middle} />}
      <StartHere x={width - 22} y={badgeAt} name={text} onStart={onStart} />
    </g>
  )
}

interface FindingBadgeProps extends BlockFindings {
  readonly x: number
  readonly y: number
  readonly size: number
}

function FindingBadge({ worst, messages, x, y, size }: FindingBadgeProps) {
  return (
    <g class={`finding ${worst}`} transform={`translate(${x} ${y})`}>
      <title>{messages.join('\n')}</title>
      <circle r={size * 0.73} />
      <text y={size * 0.36} style={{ fontSize: `${size}px` }}>
        {messages.length}
      </text>
    </g>
  )
}

interface StartHereProps {
  readonly x: number
  readonly y: number
  readonly name: string
  readonly onStart: () => void
}

function StartHere({ x, y, name, onStart }: StartHereProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot be drawn
    <g
      class="start-here"
      role="button"
      tabindex={-1}
      aria-label={`Start here: ${name}`}
      transform={`translate(${x} ${y})`}
      onClick={onStart}
    >
      <title>Start here</title>
      <circle class="hit" r={12} />
      <path class="play" d="M-3.5 -5.5L6 0L-3.5 5.5Z" />
    </g>
  )
}

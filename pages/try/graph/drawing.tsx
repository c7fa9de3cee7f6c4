import type { ReadonlySignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Finding } from '../../../client/client.ts'
import type { GraphModel, GraphNode } from '../../../src/tooling/flow-graph/graph-model.ts'
import type { Traffic } from '../../../src/tooling/flow-graph/traffic.ts'
import type { BenchProps } from '../state/workbench.ts'
import { EdgeView } from './edge-view.tsx'
import { type BlockFindings, type BlockState, NodeView } from './node-view.tsx'
import type { Traversal } from './traversal.ts'
import type { Detail, VisibleParts } from './viewport.ts'

interface DrawingProps extends BenchProps {
  readonly model: ReadonlySignal<GraphModel>
  readonly shown: ReadonlySignal<VisibleParts>
  readonly detail: ReadonlySignal<Detail>
  readonly titleSize: ReadonlySignal<number>
  readonly traversal: Traversal
  /** Drawn in the place of this conversation. */
  readonly traffic: Traffic | undefined
  /** Blocks that any conversation came to since the page was opened. */
  readonly everVisited: ReadonlySet<string>
  readonly currentId: string | undefined
  readonly onOpen: (node: GraphNode) => void
}

/** The edges and nodes in sight. The one that is looked at, and the way that was taken, lie on top. */
export function Drawing(props: DrawingProps) {
  const { bench, model, shown, detail, titleSize, traversal, traffic, everVisited, currentId, onOpen } = props
  const [parts, findings, selected] = [
    bench.draft.parts.value,
    bench.draft.findings.value,
    bench.selected.value,
  ]
  const { breakpoints } = bench.trial.stepper
  const found = useMemo(() => findingsByBlock(findings), [findings])
  const variableId = selected?.kind === 'variable' ? selected.variableId : undefined
  const selectedBlock = selected?.kind === 'block' ? selected.blockId : undefined
  const selectedEdge = selected?.kind === 'edge' ? selected.edgeId : undefined
  const rank = (id: string) => (id === selectedEdge ? 2 : traversal.edges.has(id) ? 1 : 0)
  const edges = [...shown.value.edges].sort((one, other) => rank(one.id) - rank(other.id))

  const stateOf = (blockId: string): BlockState => {
    const block = variableId === undefined ? undefined : parts.blocks.get(blockId)
    return {
      isCurrent: !traffic && blockId === currentId,
      isSelected: blockId === selectedBlock,
      isVisited: !traffic && traversal.blocks.has(blockId),
      wasVisited: !traffic && everVisited.has(blockId),
      reads: block?.reads.has(variableId as string) ?? false,
      writes: block?.writes.has(variableId as string) ?? false,
      hasBreakpoint: breakpoints.value.has(blockId),
      findings: traffic ? undefined : found.get(blockId),
      traffic: traffic?.blocks.get(blockId),
    }
  }

  return (
    <>
      {edges.map((edge) => (
        <EdgeView
          key={`e ${edge.id}`}
          edge={edge}
          model={model.value}
          numbers={traversal.edges.get(edge.id)}
          traffic={traffic && (traffic.edges.get(edge.id) ?? 'none')}
          isSelected={edge.id === selectedEdge}
          isPassedBy={edge.from.blockId !== undefined && traversal.blocks.has(edge.from.blockId)}
          onSelect={bench.select}
        />
      ))}
      {shown.value.nodes.map((node) => (
        <NodeView
          key={`n ${node.id}`}
          node={node}
          detail={detail.value}
          titleSize={titleSize.value}
          stateOf={stateOf}
          onSelect={bench.select}
          onOpen={onOpen}
          onStart={(groupId, blockId) =>
            void bench.startAt({ type: 'group', groupId, ...(blockId !== undefined && { blockId }) })
          }
        />
      ))}
    </>
  )
}

const weights = { info: 0, warning: 1, error: 2 } as const

function findingsByBlock(findings: readonly Finding[]): ReadonlyMap<string, BlockFindings> {
  const found = new Map<string, BlockFindings>()
  for (const { blockId, severity, message } of findings) {
    if (blockId === undefined) continue
    const { worst, messages } = found.get(blockId) ?? { worst: severity, messages: [] }
    found.set(blockId, {
      worst: weights[severity] > weights[worst] ? severity : worst,
      messages: [...messages, message],
    })
  }
  return found
}

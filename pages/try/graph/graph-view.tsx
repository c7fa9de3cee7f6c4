import { useComputed, useSignal } from '@preact/signals'
import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { type GraphModel, placeOfBlock, readGraph } from '../../../src/tooling/flow-graph/graph-model.ts'
import { placeNodes } from '../../../src/tooling/flow-graph/place-nodes.ts'
import type { BenchProps } from '../state/workbench.ts'
import { Drawing } from './drawing.tsx'
import { factorOfKeys, GraphTools } from './graph-tools.tsx'
import { Overview } from './overview.tsx'
import { createPointers } from './pointers.ts'
import { nameOfPicture, TrafficCaption } from './traffic-caption.tsx'
import { TrafficTools } from './traffic-tools.tsx'
import { readTraversal } from './traversal.ts'
import { useTraffic } from './use-traffic.ts'
import {
  approach,
  begin,
  boundsOf,
  centreOn,
  detailOf,
  fitTo,
  pan,
  type Rectangle,
  reveal,
  titleSizeAt,
  type Viewport,
  type VisibleParts,
  visibleParts,
  zoom,
} from './viewport.ts'
import { nextBlock } from './walk-by-keys.ts'

/** Pixels that an arrow key moves the drawing. */
const stepOfKeys = 60

/** The graph of the draft that is open, with the conversation up to the turn that is looked at. */
export function GraphPane({ bench }: BenchProps) {
  const { kind, label } = bench.draft.origin.value ?? {}
  // Another flow begins with all of it in sight.
  return <GraphView key={`${kind} ${label}`} bench={bench} />
}

/** The flow as a drawing: where the conversation is, which way it took, and what there is to say about its blocks. */
function GraphView({ bench }: BenchProps) {
  const { draft, trial, turns, current } = bench
  const [definition, parts, selected] = [draft.definition.value, draft.parts.value, bench.selected.value]
  const currentId = current.value?.blockId
  const selectedId = selected?.kind === 'block' ? selected.blockId : undefined
  const frame = useRef<SVGSVGElement>(null)
  const size = useSignal({ width: 800, height: 600 })
  const viewport = useSignal<Viewport>({ x: 0, y: 0, scale: 1 })
  const placed = useMemo(() => placeNodes(readGraph(definition, parts.blocks)), [definition, parts])
  const model = useSignal(placed)
  /** Whether it was moved by hand; until then it fits into its pane, however large that is. */
  const isMoved = useRef(false)
  const isFitted = useRef(false)
  const focusWanted = useRef<string | undefined>(undefined)
  const everVisited = useRef(new Set<string>())
  const traffic = useTraffic(bench)
  const pictures = traffic.shown.value.length > 0 ? traffic.shown.value : [undefined]
  /** The picture that keys were pressed in. */
  const pressed = useRef<SVGSVGElement | null>(null)

  const fitAll = () => {
    isMoved.current = false
    viewport.value = fitTo(boundsOf(model.value.nodes.values()), size.value)
  }
  const move = (dx: number, dy: number) => {
    isMoved.current = true
    viewport.value = pan(viewport.value, dx, dy)
  }
  const zoomAt = (factor: number, point: { readonly x: number; readonly y: number }) => {
    isMoved.current = true
    viewport.value = zoom(viewport.value, factor, point)
  }
  const zoomBy = (factor: number) => zoomAt(factor, { x: size.value.width / 2, y: size.value.height / 2 })
  const beginView = ({ nodes }: GraphModel) => {
    const first = nodes.values().next().value
    const part = (currentId !== undefined && placeOfBlock(model.value, currentId)) || first
    viewport.value = begin(boundsOf(nodes.values()), part, size.value)
  }
  /** Brings a place into sight, and so near that its rows can be read. */
  const open = (place: Rectangle) => {
    isMoved.current = true
    viewport.value = approach(viewport.value, place, size.value)
  }

  useLayoutEffect(() => {
    const svg = frame.current
    if (!svg) return undefined
    const measure = () => {
      size.value = { width: svg.clientWidth, height: svg.clientHeight }
      if (isFitted.current && !isMoved.current) beginView(model.value)
    }
    const watch = new ResizeObserver(measure)
    watch.observe(svg)
    measure()
    return () => watch.disconnect()
  }, [size])

  useLayoutEffect(() => {
    model.value = placed
    if (isFitted.current || placed.nodes.size === 0) return
    isFitted.current = true
    beginView(placed)
  }, [placed])

  useEffect(() => {
    const place = currentId === undefined ? undefined : placeOfBlock(model.value, currentId)
    if (isFitted.current && place) viewport.value = reveal(viewport.value, place, size.value)
  }, [currentId])

  useEffect(() => {
    const place = selectedId === undefined ? undefined : placeOfBlock(model.value, selectedId)
    if (isFitted.current && place) open(place)
  }, [selectedId])

  useEffect(() => {
    const wanted = focusWanted.current
    if (wanted === undefined) return
    focusWanted.current = undefined
    pressed.current?.querySelector<SVGElement>(`[data-block="${CSS.escape(wanted)}"]`)?.focus()
  })

  const traversal = useMemo(() => {
    const read = readTraversal(turns.value.flatMap(({ trace }) => trace ?? []))
    for (const block of read.blocks) everVisited.current.add(block)
    return read
  }, [turns.value])

  const last = useRef<{ readonly key: string; readonly shown: VisibleParts }>(undefined)
  const shown = useComputed(() => {
    const next = visibleParts(model.value, viewport.value, size.value)
    const key = [...next.nodes, ...next.edges].map(({ id }) => id).join(' ')
    // While the same is in sight, only the transformation changes.
    if (last.current?.key === key && last.current.shown.of === next.of) return last.current.shown
    last.current = { key, shown: next }
    return next
  })
  const detail = useComputed(() => detailOf(viewport.value))
  const titleSize = useComputed(() => titleSizeAt(viewport.value))
  const transform = useComputed(() => {
    const { x, y, scale } = viewport.value
    return `translate(${x} ${y}) scale(${scale})`
  })

  const pointers = useMemo(() => createPointers({ onPan: move, onZoom: zoomAt }), [viewport])

  const selectByKeys = (blockId: string | undefined) => {
    if (blockId === undefined) return
    focusWanted.current = blockId
    bench.select({ kind: 'block', blockId })
  }

  const moveBy: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(stepOfKeys, 0),
    ArrowRight: () => move(-stepOfKeys, 0),
    ArrowUp: () => move(0, stepOfKeys),
    ArrowDown: () => move(0, -stepOfKeys),
    '+': () => zoomBy(factorOfKeys),
    '=': () => zoomBy(factorOfKeys),
    '-': () => zoomBy(1 / factorOfKeys),
    '0': fitAll,
    Enter: () =>
      selectByKeys(
        selectedId ?? currentId ?? shown.value.nodes.find(({ rows }) => rows[0])?.rows[0]?.blockId,
      ),
  }

  const onKeyDown = (event: TargetedKeyboardEvent<SVGSVGElement>) => {
    pressed.current = event.currentTarget
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const blockId = event.target instanceof SVGElement ? event.target.dataset['block'] : undefined
    const block = blockId === undefined ? undefined : parts.blocks.get(blockId)
    if (block && (event.key === 's' || event.key === 'b')) {
      event.preventDefault()
      if (event.key === 'b') trial.stepper.toggle(block.id)
      else void bench.startAt({ type: 'group', groupId: block.groupId, blockId: block.id })
      return
    }
    const isWalked = blockId !== undefined && /^(?:Arrow|Enter$| $|Escape$)/.test(event.key)
    if (!isWalked && !moveBy[event.key]) return
    event.preventDefault()
    if (!isWalked) moveBy[event.key]?.()
    else if (event.key === 'Escape') event.currentTarget.focus()
    else selectByKeys(nextBlock(model.value, blockId, event.key))
  }

  return (
    <section class="graph" aria-label="Graph">
      {traffic.isOn.value && <TrafficTools traffic={traffic} />}
      <div class="pictures">
        {pictures.map((counted, index) => (
          <figure key={index}>
            {counted && (
              <TrafficCaption
                counted={counted}
                current={traffic.current.value}
                drawn={{ blocks: parts.blocks, edges: model.value.edges }}
              />
            )}
            <svg
              ref={index === 0 ? frame : null}
              viewBox={`0 0 ${size.value.width} ${size.value.height}`}
              tabindex={0}
              role="application"
              aria-label={nameOfPicture(counted, traffic.current.value)}
              onKeyDown={onKeyDown}
              {...pointers.handlers}
            >
              <g transform={transform}>
                <Drawing
                  bench={bench}
                  model={model}
                  shown={shown}
                  detail={detail}
                  titleSize={titleSize}
                  traversal={traversal}
                  traffic={counted?.traffic}
                  everVisited={everVisited.current}
                  currentId={currentId}
                  onOpen={open}
                />
              </g>
            </svg>
          </figure>
        ))}
      </div>
      <Overview
        model={model}
        viewport={viewport}
        window={size}
        onGo={(place) => {
          isMoved.current = true
          viewport.value = centreOn(viewport.value, place, size.value)
        }}
      />
      <GraphTools
        onZoom={zoomBy}
        onFit={fitAll}
        isTrafficOn={draft.origin.value?.kind === 'published' ? traffic.isOn : undefined}
      />
    </section>
  )
}

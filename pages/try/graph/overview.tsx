import type { ReadonlySignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { GraphModel } from '../../../src/tooling/flow-graph/graph-model.ts'
import { boundsOf, type Rectangle, type Viewport, type WindowSize } from './viewport.ts'

interface OverviewProps {
  readonly model: ReadonlySignal<GraphModel>
  readonly viewport: ReadonlySignal<Viewport>
  readonly window: ReadonlySignal<WindowSize>
  /** Brings a place of the drawing into the middle. */
  readonly onGo: (place: Rectangle) => void
}

/** All of the drawing, small, where a part of it is out of sight. A press brings a place into sight, as arrows do. */
export function Overview({ model, viewport, window, onGo }: OverviewProps) {
  const { nodes } = model.value
  // It is drawn with each move of the window, and the flow stays as it is.
  const { bounds, outline } = useMemo(() => {
    const placed = [...nodes.values()]
    const rectangles = placed.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}Z`)
    return { bounds: boundsOf(placed), outline: rectangles.join('') }
  }, [nodes])
  const { scale, x, y } = viewport.value
  const { width, height } = window.value
  const seen = { x: -x / scale, y: -y / scale, width: width / scale, height: height / scale }
  const isAllSeen =
    seen.x <= bounds.x &&
    seen.y <= bounds.y &&
    seen.x + seen.width >= bounds.x + bounds.width &&
    seen.y + seen.height >= bounds.y + bounds.height
  if (isAllSeen || nodes.size === 0) return null
  const go = ({ buttons, currentTarget, clientX, clientY }: PointerEvent) => {
    const toDrawing = (currentTarget as SVGSVGElement).getScreenCTM()?.inverse()
    if ((buttons & 1) === 0 || !toDrawing) return
    const point = new DOMPoint(clientX, clientY).matrixTransform(toDrawing)
    onGo({ x: point.x, y: point.y, width: 0, height: 0 })
  }
  return (
    <svg
      class="overview"
      viewBox={`${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`}
      aria-hidden="true"
      onPointerDown={go}
      onPointerMove={go}
    >
      <path class="all" d={outline} />
      <rect class="seen" {...seen} />
    </svg>
  )
}

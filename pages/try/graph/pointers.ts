interface Moves {
  readonly onPan: (dx: number, dy: number) => void
  /** `point` is in pixels of the element. */
  readonly onZoom: (factor: number, point: Place) => void
}

interface Place {
  readonly x: number
  readonly y: number
}

/** Pixels that a finger may tremble while it taps. */
const tremble = 4

/** What a turn of the wheel by a pixel does. */
const wheelFactor = 1.0015

const placeOf = ({ currentTarget, clientX, clientY }: MouseEvent): Place => {
  const { left, top } = (currentTarget as Element).getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

const between = ([one, other]: readonly Place[]) =>
  one && other
    ? {
        distance: Math.hypot(one.x - other.x, one.y - other.y),
        middle: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 },
      }
    : undefined

/** Moves a drawing by mouse, wheel and fingers. What is dragged is not clicked. */
export function createPointers({ onPan, onZoom }: Moves) {
  const down = new Map<number, Place>()
  let isDragged = false
  let begun: Place = { x: 0, y: 0 }

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    if (down.size === 0) {
      isDragged = false
      begun = placeOf(event)
    }
    down.set(event.pointerId, placeOf(event))
  }

  const onPointerMove = (event: PointerEvent) => {
    const before = down.get(event.pointerId)
    if (!before) return
    const now = placeOf(event)
    isDragged ||= down.size > 1 || Math.hypot(now.x - begun.x, now.y - begun.y) > tremble
    if (!isDragged) return
    const element = event.currentTarget as Element
    if (!element.hasPointerCapture(event.pointerId)) element.setPointerCapture(event.pointerId)
    const gap = between([...down.values()])
    down.set(event.pointerId, now)
    const newGap = between([...down.values()])
    if (gap && newGap) {
      onPan(newGap.middle.x - gap.middle.x, newGap.middle.y - gap.middle.y)
      if (gap.distance > 0) onZoom(newGap.distance / gap.distance, newGap.middle)
    } else onPan(now.x - before.x, now.y - before.y)
  }

  const onPointerUp = (event: PointerEvent) => {
    down.delete(event.pointerId)
  }

  const onWheel = (event: WheelEvent) => {
    event.preventDefault()
    if (event.shiftKey) onPan(-event.deltaX, -event.deltaY)
    else onZoom(wheelFactor ** -event.deltaY, placeOf(event))
  }

  const onClickCapture = (event: MouseEvent) => {
    if (!isDragged) return
    isDragged = false
    event.stopPropagation()
  }

  return {
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onWheel,
      onClickCapture,
    },
  }
}

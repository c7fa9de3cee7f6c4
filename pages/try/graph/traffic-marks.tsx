import type { BlockTraffic } from './traffic.ts'

/** Marks of the traffic at a block, in a few characters. */
export const marksOf = ({ waiting, left }: Partial<BlockTraffic> = {}) =>
  [waiting ? `${waiting} here` : undefined, left].filter((mark) => mark !== undefined).join('  ')

interface TrafficMarksProps {
  readonly traffic: BlockTraffic
  readonly x: number
  readonly y: number
}

/** Who waits at a block, and which share of those who were asked has left there. */
export function TrafficMarks({ traffic, x, y }: TrafficMarksProps) {
  return (
    <text class={`traffic-marks${traffic.left ? ' losing' : ''}`} x={x} y={y}>
      {marksOf(traffic)}
    </text>
  )
}

import { type BlockTraffic, marksOf } from '../../../src/tooling/flow-graph/traffic.ts'

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

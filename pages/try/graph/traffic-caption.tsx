import { type Drawn, inDigits, shareOf, undrawn } from '../../../src/tooling/flow-graph/traffic.ts'
import type { Counted } from './use-traffic.ts'

/** A version by the begin of its hash. */
export function versionInWords(hash: string | undefined, current: string | undefined): string {
  if (hash === undefined) return 'All versions'
  return `${hash.slice(0, 8)}${hash === current ? ' (now)' : ''}`
}

const keysInWords =
  'Arrows move it, plus and minus zoom, 0 shows all, Enter goes to the block where the conversation is; there s starts at it and b sets a breakpoint'

/** What a picture of the graph is called, and how it is used by keys. */
export function nameOfPicture(counted: Counted | undefined, current: string | undefined): string {
  const traffic = counted ? `, with the traffic of ${versionInWords(counted.version, current)}` : ''
  return `The flow${traffic}. ${keysInWords}`
}

interface TrafficCaptionProps {
  readonly counted: Counted
  readonly current: string | undefined
  readonly drawn: Drawn
}

/** What stands above a picture: whose traffic it is, how far they came, and what of it the drawing has no place for. */
export function TrafficCaption({ counted, current, drawn }: TrafficCaptionProps) {
  const { version, traffic } = counted
  const { conversations, started, completed, blocks } = traffic
  const waiting = [...blocks.values()].reduce((sum, block) => sum + block.waiting, 0)
  const gone = undrawn(traffic, drawn)
  return (
    <figcaption>
      <strong>{versionInWords(version, current)}</strong>: {inDigits(conversations)} conversations,{' '}
      {shareOf(started, conversations)} started, {shareOf(completed, conversations)} completed,{' '}
      {inDigits(waiting)} wait now
      {gone.length > 0 && <small> ({gone.join(' and ')} of it not in the flow that is drawn)</small>}
    </figcaption>
  )
}

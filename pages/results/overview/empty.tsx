import type { ViewProps } from './view-props.ts'

/** Nobody has come yet, or nobody in the period. */
export function Empty({ board: { place }, outline: { publicId } }: ViewProps) {
  const isAll = place.value.period.kind === 'all' && place.value.version === undefined
  return (
    <div class="empty">
      <h2>{isAll ? 'Nobody has talked to this flow yet' : 'Nobody has talked to this flow in this time'}</h2>
      <p>
        <a href={`/f/${encodeURIComponent(publicId)}`}>Talk to it</a> yourself, or give its address to others.
        {!isAll && ' A longer time may have some.'}
      </p>
    </div>
  )
}

import { Periods } from '../../shared/periods.tsx'
import type { BoardProps } from '../state/board.ts'

/** Which flow, of which time and version. */
export function Head({ board }: BoardProps) {
  const { list, place, analytics, outline } = board
  const { flow, period, version } = place.value
  const flows = list.value?.flows ?? []
  const isListed = flows.some(({ publicId }) => publicId === flow)
  const versions = analytics.value?.versions ?? []
  const current = outline.value?.version
  return (
    <header class="head">
      <h1>Results</h1>
      {list.value && (
        <label class="choice">
          <span>Flow</span>
          <select value={flow} onChange={({ currentTarget }) => void board.chooseFlow(currentTarget.value)}>
            {!isListed && flow !== undefined && <option value={flow}>{flow}</option>}
            {flows.map(({ publicId, name }) => (
              <option key={publicId} value={publicId}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {outline.value && <Periods period={period} onChoose={(chosen) => board.move({ period: chosen })} />}
      {outline.value && (versions.length > 1 || version !== undefined) && (
        <label class="choice">
          <span>Version</span>
          <select
            value={version ?? ''}
            onChange={({ currentTarget }) => board.move({ version: currentTarget.value || undefined })}
          >
            <option value="">All</option>
            {version !== undefined && versions.every(({ hash }) => hash !== version) && (
              <option value={version}>{version.slice(0, 8)}</option>
            )}
            {versions.map(({ hash }) => (
              <option key={hash} value={hash}>
                {hash.slice(0, 8)}
                {hash === current ? ' (now)' : ''}
              </option>
            ))}
          </select>
        </label>
      )}
    </header>
  )
}

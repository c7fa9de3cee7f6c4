import { batch, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { asList, asName, asRecord, type LooseJson } from '../../../src/tooling/flow-graph/loose-json.ts'
import { inDigits, readTraffic, type Traffic } from '../../../src/tooling/flow-graph/traffic.ts'
import { type Period, rangesOf } from '../../shared/period.ts'
import type { Workbench } from '../state/workbench.ts'

/** Milliseconds after which the traffic is counted again. */
const refreshMs = 5000

/** What went through a version of the flow, by its hash, or through all of them. */
export interface Counted {
  readonly version: string | undefined
  readonly traffic: Traffic
}

export type TrafficView = ReturnType<typeof useTraffic>

/** The traffic of the published flow that is open, while somebody looks at it: of one choice of versions, or of two to compare. */
export function useTraffic({ draft, ask, attempt, told }: Workbench) {
  const isOn = useSignal(false)
  const period = useSignal<Period>({ kind: 'all' })
  /** Hashes of the versions that are drawn; undefined for all together. */
  const drawn = useSignal<readonly (string | undefined)[]>([undefined])
  const versions = useSignal<readonly string[]>([])
  const current = useSignal<string | undefined>(undefined)
  const shown = useSignal<readonly Counted[]>([])
  const { kind, label = '' } = draft.origin.value ?? {}
  const flow = encodeURIComponent(label)

  const count = async (version: string | undefined): Promise<LooseJson | undefined> => {
    const { range } = rangesOf(period.value, Date.now())
    const query = new URLSearchParams({ ...range, ...(version !== undefined && { version }) })
    return ask(`/v1/flows/${flow}/analytics?${query}`)
  }
  const look = async (isWanted: () => boolean) => {
    const asked = drawn.value
    const [counts, outline] = await Promise.all([
      Promise.all(asked.map(count)),
      current.value === undefined ? ask(`/results/flows/${flow}`) : undefined,
    ])
    if (!isWanted()) return
    batch(() => {
      if (outline) current.value = asName(outline['version'])
      const all = counts[asked.indexOf(undefined)]
      if (all) versions.value = asList(all['versions']).map((version) => asName(asRecord(version)['hash']))
      shown.value = counts.flatMap((answer, index) =>
        answer ? [{ version: asked[index], traffic: readTraffic(answer) }] : [],
      )
    })
  }
  useEffect(() => {
    shown.value = []
    if (!isOn.value || kind !== 'published') return undefined
    let isWanted = true
    let isTold = false
    const lookOrStop = () =>
      attempt(async () => {
        try {
          await look(() => isWanted)
        } catch (error) {
          if (!isWanted) return
          isOn.value = false
          throw error
        }
        if (isTold || !isWanted || shown.value.length === 0) return
        isTold = true
        const many = shown.value.map(({ traffic }) => inDigits(traffic.conversations)).join(' and ')
        told.value = `What ${many} live conversations did: the width of a line is how many went along it.`
      })
    void lookOrStop()
    const timer = setInterval(() => {
      if (!document.hidden) void lookOrStop()
    }, refreshMs)
    return () => {
      isWanted = false
      clearInterval(timer)
    }
  }, [isOn.value, kind, label, period.value, drawn.value])
  return {
    isOn,
    period,
    drawn,
    /** Hashes of those that had conversations. */
    versions,
    /** The hash of the version that is served now. */
    current,
    shown,
  }
}

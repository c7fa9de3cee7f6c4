import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { readTraffic, type Traffic } from '../../../src/tooling/flow-graph/traffic.ts'
import type { Workbench } from '../state/workbench.ts'

/** Milliseconds after which the traffic is counted again. */
const refreshMs = 5000

/** The traffic of the published flow that is open, while somebody looks at it. */
export function useTraffic({ draft, ask, attempt, told }: Workbench) {
  const isOn = useSignal(false)
  const shown = useSignal<Traffic | undefined>(undefined)
  const { kind, label = '' } = draft.origin.value ?? {}
  const look = async () => {
    const counts = await ask(`/v1/flows/${encodeURIComponent(label)}/analytics`)
    if (!isOn.value) return
    const isFirst = shown.value === undefined
    shown.value = counts && readTraffic(counts)
    if (isFirst && shown.value)
      told.value = `What ${shown.value.conversations} live conversations did: the width of a line is how many went along it.`
  }
  useEffect(() => {
    shown.value = undefined
    if (!isOn.value || kind !== 'published') return undefined
    const stop = () => {
      isOn.value = false
    }
    const lookOrStop = () =>
      attempt(() =>
        look().catch((error: unknown) => {
          stop()
          throw error
        }),
      )
    void lookOrStop()
    const timer = setInterval(() => {
      if (!document.hidden) void lookOrStop()
    }, refreshMs)
    return () => clearInterval(timer)
  }, [isOn.value, kind, label])
  return {
    isOn,
    shown,
    toggle: () => {
      isOn.value = !isOn.value
    },
  }
}

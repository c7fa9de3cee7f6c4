import { batch, computed, effect, signal } from '@preact/signals'
import { read, write } from '../../shared/browser-storage.ts'
import { type Range, rangesOf } from '../../shared/period.ts'
import { noFilter, type Place, readPlace, writePlace } from './address.ts'
import { type Asked, askService, isAborted, Refusal } from './ask.ts'
import { columnsOf } from './describe-answers.ts'
import { createPages } from './pages.ts'
import type { Analytics, FlowList, FlowOutline } from './wire.ts'

const tokenKey = 'flow-runtime/results-token'

/** Why nothing is shown. */
export type Hindrance =
  | { readonly kind: 'no token' | 'wrong token' | 'not kept' }
  | { readonly kind: 'failed'; readonly message: string }

export type Board = ReturnType<typeof createBoard>

export interface BoardProps {
  readonly board: Board
}

/** Holds together what the page shows: who asks, of which flow, of which time, and what the service has said of that. */
export function createBoard() {
  const token = signal(read('sessionStorage', tokenKey))
  const place = signal<Place>(readPlace(new URLSearchParams(location.search)))
  const list = signal<FlowList | undefined>(undefined)
  const outline = signal<FlowOutline | undefined>(undefined)
  const analytics = signal<Analytics | undefined>(undefined)
  const earlier = signal<Analytics | undefined>(undefined)
  const hindrance = signal<Hindrance | undefined>(undefined)
  const told = signal<string | undefined>(undefined)
  const selected = signal<string | undefined>(undefined)

  const ask = (path: string, asked?: Asked) => askService(token.value, path, asked)
  const askJson = async <Answer>(path: string, asked?: Asked) =>
    (await (await ask(path, asked)).json()) as Answer
  const flowPath = (path: string, query: Readonly<Record<string, string>> = {}) =>
    `/v1/flows/${encodeURIComponent(place.value.flow ?? '')}${path}${Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''}`
  const period = computed(() => place.value.period)
  const ranges = computed(() => rangesOf(period.value, Date.now()))
  const columns = computed(() => (outline.value ? columnsOf(outline.value) : []))
  const pages = createPages({ place, ranges, columns, askJson, flowPath })

  function hinder(error: unknown): void {
    if (isAborted(error)) return
    if (!(error instanceof Refusal))
      hindrance.value = { kind: 'failed', message: 'The service can not be reached.' }
    else if (error.status === 401)
      hindrance.value = { kind: token.value === undefined ? 'no token' : 'wrong token' }
    else if (error.status === 403 && /the service has none/.test(error.message))
      hindrance.value = { kind: 'not kept' }
    else hindrance.value = { kind: 'failed', message: error.message }
  }

  async function open(): Promise<void> {
    hindrance.value = undefined
    const { flow } = place.value
    try {
      // What the address names is asked for at once.
      const [found] = await Promise.all([askJson<FlowList>('/results/flows'), openFlow()])
      const known = found.flows.find(({ publicId }) => publicId === flow) ?? found.flows[0]
      batch(() => {
        list.value = found
        place.value = { ...place.value, flow: flow ?? known?.publicId }
      })
      if (flow === undefined) await openFlow()
    } catch (error) {
      hinder(error)
    }
  }

  async function openFlow(): Promise<void> {
    const { flow } = place.value
    if (flow === undefined) return
    outline.value = undefined
    try {
      const found = await askJson<FlowOutline>(`/results/flows/${encodeURIComponent(flow)}`).catch(
        withoutOutline(flow),
      )
      if (place.value.flow === flow) outline.value = found
    } catch (error) {
      hinder(error)
    }
  }

  let counting: AbortController | undefined
  async function count(): Promise<void> {
    counting?.abort()
    counting = new AbortController()
    const { signal: until } = counting
    const { version, view, by } = place.value
    const countsOf = (range: Range, more: Readonly<Record<string, string>> = {}) =>
      askJson<Analytics>(
        flowPath('/analytics', { ...range, ...(version !== undefined && { version }), ...more }),
        { signal: until },
      )
    const { range, before } = ranges.value
    try {
      const [now, then] = await Promise.all([
        countsOf(range, view === 'compare' ? { by } : {}),
        before && countsOf(before),
      ])
      batch(() => {
        analytics.value = now
        earlier.value = then
      })
    } catch (error) {
      hinder(error)
    }
  }

  const move = (change: Partial<Place>) => {
    place.value = { ...place.value, ...change }
  }

  effect(() => history.replaceState(null, '', writePlace(place.value)))

  return {
    token,
    place,
    list,
    outline,
    analytics,
    earlier,
    hindrance,
    told,
    selected,
    pages,
    columns,
    ranges,
    ask,
    askJson,
    flowPath,
    hinder,
    open,
    openFlow,
    count,
    move,
    /** Shows other results. */
    filter: (change: Partial<Place['filter']>) => move({ filter: { ...place.value.filter, ...change } }),
    /** Shows the conversations that are like this, and no others. */
    showOnly: (filter: Partial<Place['filter']>, view: Place['view'] = 'answers') =>
      move({ view, filter: { ...noFilter, ...filter } }),
    async chooseFlow(flow: string): Promise<void> {
      batch(() => {
        analytics.value = undefined
        selected.value = undefined
        move({ flow, version: undefined, filter: noFilter })
      })
      await openFlow()
    },
    /** Takes a token for as long as this tab lives. */
    async useToken(given: string): Promise<void> {
      write('sessionStorage', tokenKey, given)
      token.value = given
      await open()
    },
  }
}

/** A flow that is published no more still has results, whose questions nobody knows by their words. */
function withoutOutline(flow: string) {
  return (error: unknown): FlowOutline => {
    if (!(error instanceof Refusal) || error.status !== 404) throw error
    return { publicId: flow, name: flow, version: '', locales: [], blocks: [], variables: [], theme: {} }
  }
}

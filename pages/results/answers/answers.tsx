import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { read, readJson, write } from '../../shared/browser-storage.ts'
import { Empty } from '../overview/empty.tsx'
import type { ViewProps } from '../overview/view-props.ts'
import { isOpen, noFilter } from '../state/address.ts'
import { isAborted } from '../state/ask.ts'
import { inDigits } from '../state/figures.ts'
import { AnswerTable } from './answer-table.tsx'
import { ColumnChooser } from './column-chooser.tsx'
import { EraseAllButton } from './erase-all-button.tsx'
import { EraseButton } from './erase-button.tsx'
import { ExportMenu } from './export-menu.tsx'
import { Filters } from './filters.tsx'

/** Milliseconds after which conversations that are going on are looked at again. */
const refreshMs = 5000

/** The conversations of the period as a table, a page at a time: the service looks for them. */
export function Answers({ board, outline }: ViewProps) {
  const { pages, place, ranges, list, hinder } = board
  const { rows, isLoading, isCut, sortedOf, starts, next } = pages
  const { filter, version, flow, view } = place.value
  const key = `flow-runtime/results-columns ${flow}`
  const chosen = useSignal<readonly string[] | undefined>(readKeys(key))
  const picked = useSignal<ReadonlySet<string>>(new Set())
  const turn = (load: () => Promise<void>) => {
    picked.value = new Set()
    load().catch((error: unknown) => {
      if (!isAborted(error)) hinder(error)
    })
  }
  const isLive = view === 'now'
  useEffect(() => turn(pages.first), [filter, version, flow, isLive, ranges.value])
  useEffect(() => {
    if (!isLive) return undefined
    const timer = setInterval(() => {
      if (!document.hidden) pages.load().catch(() => undefined)
    }, refreshMs)
    return () => clearInterval(timer)
  }, [isLive])
  const all = board.columns.value
  const columns = all.filter(({ key: name, isUsual }) => chosen.value?.includes(name) ?? isUsual)
  const isUnfiltered = isOpen(place.value)
  const isFiltered = !isUnfiltered || isLive
  if (rows.value?.length === 0 && next.value === undefined && starts.value.length === 1 && !isFiltered)
    return <Empty board={board} outline={outline} />
  const choose = (keys: readonly string[]) => {
    chosen.value = keys
    write('localStorage', key, JSON.stringify(keys))
  }
  return (
    <>
      <div class="tools">
        <Filters board={board} outline={outline} />
        <ColumnChooser columns={all} chosen={columns.map(({ key: name }) => name)} onChoose={choose} />
        <ExportMenu board={board} />
        {list.value?.mayChange && picked.value.size > 0 && (
          <EraseButton board={board} ids={[...picked.value]} onErased={() => turn(pages.load)} />
        )}
        {list.value?.mayChange && rows.value && rows.value.length > 0 && (
          <EraseAllButton board={board} onErased={() => turn(pages.first)} />
        )}
      </div>
      {rows.value?.length === 0 && isFiltered && (
        <div class="empty">
          <h2>
            {isLive && isUnfiltered ? 'Nobody is in a conversation now' : 'No conversation is like that'}
          </h2>
          {!isUnfiltered && (
            <p>
              <button type="button" onClick={() => board.move({ filter: noFilter })}>
                Show all
              </button>
            </p>
          )}
        </div>
      )}
      {sortedOf.value?.isWhole === false && (
        <p class="aside">
          Sorted are the {inDigits(sortedOf.value.count)} that have begun last; there are more. A shorter time
          or a filter takes in all.
        </p>
      )}
      {rows.value && rows.value.length > 0 && (
        <AnswerTable board={board} columns={columns} rows={rows.value} picked={picked} />
      )}
      <nav class="pager" aria-label="Pages" aria-busy={isLoading.value}>
        <button type="button" disabled={starts.value.length === 1} onClick={() => turn(pages.back)}>
          ‹ Before
        </button>
        <span>
          Page {starts.value.length}
          {isCut.value && ', so far: there is more to look through'}
        </span>
        <button type="button" disabled={next.value === undefined} onClick={() => turn(pages.forward)}>
          Next ›
        </button>
      </nav>
    </>
  )
}

function readKeys(key: string): readonly string[] | undefined {
  const kept = readJson(read('localStorage', key))
  return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : undefined
}

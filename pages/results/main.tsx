import { computed, effect, untracked } from '@preact/signals'
import { render } from 'preact'
import '../shared/page.css'
import '../shared/periods.css'
import './results.css'
import { Answers } from './answers/answers.tsx'
import { HindranceView, TokenForm } from './hindrances.tsx'
import { Compare } from './overview/compare.tsx'
import { Funnel } from './overview/funnel.tsx'
import { Head } from './overview/head.tsx'
import { Questions } from './overview/questions.tsx'
import { Tiles } from './overview/tiles.tsx'
import { SidePanel } from './panel/side-panel.tsx'
import { type View, views } from './state/address.ts'
import { type BoardProps, createBoard } from './state/board.ts'

const board = createBoard()

const titles: Readonly<Record<View, string>> = {
  funnel: 'Funnel',
  questions: 'Questions',
  compare: 'Compare',
  answers: 'Conversations',
  now: 'Going on',
}

const bodies = { funnel: Funnel, questions: Questions, compare: Compare, answers: Answers, now: Answers }

function ResultsPage() {
  const { hindrance, outline, place, told, selected } = board
  const Body = bodies[place.value.view]
  return (
    <div class="results">
      <Head board={board} />
      <div role="status" class="told">
        {told.value}
      </div>
      {hindrance.value && <HindranceView board={board} hindrance={hindrance.value} />}
      {!hindrance.value && outline.value && (
        <>
          <Tiles board={board} />
          <nav class="views" aria-label="Views">
            {views.map((view) => (
              <button
                key={view}
                type="button"
                aria-current={place.value.view === view ? 'page' : undefined}
                onClick={() => board.move({ view })}
              >
                {titles[view]}
              </button>
            ))}
          </nav>
          <section class="view" aria-label={titles[place.value.view]}>
            <Body board={board} outline={outline.value} />
          </section>
        </>
      )}
      {!hindrance.value && outline.value && selected.value !== undefined && (
        <SidePanel key={selected.value} board={board} outline={outline.value} resultId={selected.value} />
      )}
      <Foot board={board} />
    </div>
  )
}

function Foot({ board: { token, list, hindrance } }: BoardProps) {
  const { keptSeconds } = list.value ?? {}
  return (
    <footer>
      <p>
        Days are those of UTC. Numbers count every conversation, also those whose answers were erased.
        {keptSeconds !== undefined &&
          ` Answers are erased by themselves ${durationInWords(keptSeconds)} after their last change.`}
      </p>
      {!hindrance.value && (
        <details>
          <summary>{token.value === undefined ? 'Use a token' : 'Use another token'}</summary>
          <TokenForm board={board} />
        </details>
      )}
    </footer>
  )
}

function durationInWords(seconds: number): string {
  const days = Math.round(seconds / 86_400)
  if (days >= 1) return days === 1 ? 'a day' : `${days} days`
  const hours = Math.round(seconds / 3600)
  return hours <= 1 ? 'within the hour' : `${hours} hours`
}

/** Counts again whenever something else is to be counted. */
function follow(): void {
  const counted = computed(() => {
    const { flow, period, version, view, by } = board.place.value
    const isKnown = board.list.value !== undefined && flow !== undefined
    return isKnown ? JSON.stringify([flow, period, version, view === 'compare' && by]) : undefined
  })
  effect(() => {
    if (counted.value !== undefined) untracked(() => void board.count())
  })
}

const page = document.getElementById('page')
if (page) render(<ResultsPage />, page)
follow()
void board.open()

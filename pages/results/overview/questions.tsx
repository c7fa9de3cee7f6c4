import { useEffect, useState } from 'preact/hooks'
import { questionsOf } from '../state/describe-answers.ts'
import { inDigits } from '../state/figures.ts'
import { countedSpread, readSpread, type Spread } from '../state/spread.ts'
import type { OutlineBlock, Result, ResultPage } from '../state/wire.ts'
import { Bars } from './bars.tsx'
import { Empty } from './empty.tsx'
import type { ViewProps } from './view-props.ts'

/** Results of which open answers are read. */
const mostRead = 500

/** How the answers to each question are spread. */
export function Questions({ board, outline }: ViewProps) {
  const { analytics, ranges, askJson, flowPath, place } = board
  const [results, setResults] = useState<readonly Result[]>()
  const { range } = ranges.value
  const { version } = place.value
  useEffect(() => {
    const gone = new AbortController()
    const query = { ...range, ...(version !== undefined && { version }), limit: String(mostRead) }
    askJson<ResultPage>(flowPath('/results', query), { signal: gone.signal })
      .then((page) => setResults(page.results))
      .catch(board.hinder)
    return () => gone.abort()
  }, [range, version])
  if (!analytics.value) return null
  if (analytics.value.conversations === 0) return <Empty board={board} outline={outline} />
  return (
    <div class="questions">
      {questionsOf(outline).map((block) => {
        const counted = analytics.value && countedSpread(block, analytics.value)
        const spread = counted ?? (results && readSpread(block, results))
        return <Question key={block.id} block={block} spread={spread} read={results?.length ?? 0} />
      })}
    </div>
  )
}

interface QuestionProps {
  readonly block: OutlineBlock
  readonly spread: Spread | undefined
  readonly read: number
}

function Question({ block, spread, read }: QuestionProps) {
  return (
    <section class="question" aria-label={block.words}>
      <h2 dir="auto">{block.words}</h2>
      {spread && (
        <p class="aside">
          {spread.total === 0 ? 'No answer yet' : `${inDigits(spread.total)} answers`}
          {spread.average !== undefined &&
            `, ${spread.average.toLocaleString(undefined, { maximumFractionDigits: 2 })} on average`}
          {!spread.isWhole && spread.total > 0 && `, in the latest ${inDigits(read)} conversations`}
        </p>
      )}
      {spread && spread.bars.length > 0 && (
        <Bars caption={block.words} bars={spread.bars} total={spread.total} />
      )}
      {spread && spread.others > 0 && <p class="aside">and {inDigits(spread.others)} others</p>}
    </section>
  )
}

import type { Board } from '../state/board.ts'
import { duration, inDigits, percent } from '../state/figures.ts'
import { type FunnelStep, funnelOf } from '../state/funnel-steps.ts'
import { Empty } from './empty.tsx'
import type { ViewProps } from './view-props.ts'
import { Wide } from './wide.tsx'

/** The questions in the order of the flow: how many came there, and how many went no further. */
export function Funnel({ board, outline }: ViewProps) {
  const { analytics } = board
  if (!analytics.value) return null
  const { conversations } = analytics.value
  if (conversations === 0) return <Empty board={board} outline={outline} />
  const { steps, ends, elsewhere } = funnelOf(outline, analytics.value)
  const most = Math.max(conversations, ...steps.map(({ counts }) => counts.asked))
  return (
    <>
      <Wide label="Question by question">
        <table class="funnel">
          <caption class="unseen">Question by question</caption>
          <thead>
            <tr>
              <th scope="col">Question</th>
              <th scope="col">Asked</th>
              <th scope="col" class="bar-head">
                <span class="unseen">Share of visits</span>
              </th>
              <th scope="col">Answered</th>
              <th scope="col">Refused</th>
              <th scope="col">Waiting now</th>
              <th scope="col">Left here</th>
              <th scope="col">Time to answer</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Visits</th>
              <td>{inDigits(conversations)}</td>
              <td>
                <Bar asked={conversations} left={0} most={most} />
              </td>
              <td colSpan={5} />
            </tr>
            {steps.map((step) => (
              <Step key={step.block.id} step={step} most={most} visits={conversations} board={board} />
            ))}
            {ends.map(({ block, counts }) => (
              <tr key={block.id}>
                <th scope="row" dir="auto">
                  <span class="clipped">{block.words}</span>
                  <span class="aside">It ended here{block.group && `, in ${block.group}`}</span>
                </th>
                <td>
                  <CountLink
                    count={counts.ended}
                    label={`Show the ${inDigits(counts.ended)} that ended at: ${block.words}`}
                    onShow={() =>
                      board.showOnly({
                        leftAt: block.id,
                        stage: counts.ended === counts.left ? undefined : 'completed',
                      })
                    }
                  />
                  <span class="aside">{percent(counts.ended, conversations)}</span>
                </td>
                <td>
                  <Bar asked={counts.ended} left={0} most={most} />
                </td>
                <td colSpan={5} />
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {elsewhere > 0 && (
        <p class="aside">
          {inDigits(elsewhere)} more questions were asked in earlier versions of the flow, or in flows that it
          leads to.
        </p>
      )}
      <p class="aside">
        Who came to a question, gave no answer and is not expected to any more has left there: the hatched end
        of a bar.
      </p>
    </>
  )
}

interface StepProps {
  readonly step: FunnelStep
  readonly most: number
  readonly visits: number
  readonly board: Board
}

function Step({ step: { block, counts, left }, most, visits, board }: StepProps) {
  return (
    <tr>
      <th scope="row" dir="auto">
        {block.words}
        {block.group && <span class="aside">{block.group}</span>}
      </th>
      <td>
        {inDigits(counts.asked)}
        <span class="aside">{percent(counts.asked, visits)}</span>
      </td>
      <td>
        <Bar asked={counts.asked} left={left} most={most} />
      </td>
      <td>{inDigits(counts.answered)}</td>
      <td>{inDigits(counts.refused)}</td>
      <td>
        <CountLink
          count={counts.waiting}
          label={`Show the ${inDigits(counts.waiting)} that wait at: ${block.words}`}
          onShow={() => board.showOnly({ waitingAt: block.id }, 'now')}
        />
      </td>
      <td>
        <CountLink
          count={left}
          label={`Show the ${inDigits(left)} that left at: ${block.words}`}
          onShow={() =>
            board.showOnly({ leftAt: block.id, stage: left === counts.left ? undefined : 'left' })
          }
        />
        {left > 0 && <span class="aside">{percent(left, counts.asked)}</span>}
      </td>
      <td>{duration(counts.medianSeconds)}</td>
    </tr>
  )
}

interface CountLinkProps {
  readonly count: number
  readonly label: string
  readonly onShow: () => void
}

/** A number that leads to the conversations which it counts. */
function CountLink({ count, label, onShow }: CountLinkProps) {
  if (count === 0) return '0'
  return (
    <button type="button" class="link" aria-label={label} onClick={onShow}>
      {inDigits(count)}
    </button>
  )
}

interface BarProps {
  readonly asked: number
  readonly left: number
  readonly most: number
}

function Bar({ asked, left, most }: BarProps) {
  const width = (count: number) => ({ width: `${most === 0 ? 0 : (count / most) * 100}%` })
  const gone = Math.min(left, asked)
  return (
    <div class="bar" aria-hidden="true">
      <i class="stayed" style={width(asked - gone)} />
      <i class="gone" style={width(gone)} />
    </div>
  )
}

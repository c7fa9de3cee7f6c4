import type { TraceStep } from '../../../client/client.ts'
import { assign } from '../../shared/assign.ts'
import type { PlacedBlock, PlacedEdge } from '../state/flow-parts.ts'
import type { BenchProps } from '../state/workbench.ts'
import { BlockLink, TurnLink } from './links.tsx'
import { Comparisons, Hops, StepView } from './step-view.tsx'
import { formNames } from './text-panel.tsx'

/** What the block or edge that is looked at did, and why; else what the turn did. */
export function WhyPanel({ bench }: BenchProps) {
  const selection = bench.selected.value
  if (selection?.kind === 'block') return <BlockWhy bench={bench} blockId={selection.blockId} />
  if (selection?.kind === 'edge') return <EdgeWhy bench={bench} edgeId={selection.edgeId} />
  return <TurnWhy bench={bench} />
}

function TurnWhy({ bench }: BenchProps) {
  const turn = bench.turn.value
  const moment = bench.trial.moments.value[turn]
  if (!moment) return <p class="soft">The conversation has not begun.</p>
  const { came = [], steps = [], isCut } = moment.trace ?? {}
  const { position, begin } = bench.trial.stepper
  const done = position.value?.done ?? steps.length
  return (
    <>
      <h2>What turn {turn + 1} did</h2>
      {!position.value && steps.length > 0 && (
        <button type="button" onClick={() => begin(turn)}>
          Step through
        </button>
      )}
      {came.length > 0 && (
        <p class="went">
          <Hops bench={bench} hops={came} />
        </p>
      )}
      {steps.map((step, index) => (
        <div
          key={index}
          class={index < done ? '' : 'ahead'}
          aria-current={index === done ? 'step' : undefined}
        >
          <StepView bench={bench} step={step} />
        </div>
      ))}
      {steps.length === 0 && <p class="soft">No block has run.</p>}
      {isCut && <p class="soft">The rest of this turn was too long to be kept.</p>}
    </>
  )
}

interface Visit {
  readonly turn: number
  readonly step: TraceStep
}

function visitsOf({ bench }: BenchProps, blockId: string): Visit[] {
  return bench.trial.moments.value.flatMap(({ trace }, turn) =>
    (trace?.steps ?? []).filter(({ block }) => block.blockId === blockId).map((step) => ({ turn, step })),
  )
}

function BlockWhy({ bench, blockId }: BenchProps & { readonly blockId: string }) {
  const block = bench.draft.parts.value.blocks.get(blockId)
  const visits = visitsOf({ bench }, blockId)
  return (
    <>
      <h2>{block ? `${block.groupTitle}: ${block.label}` : blockId}</h2>
      <p class="soft">
        {block?.type} <code>{blockId}</code> {block && <PlaceOf bench={bench} pointer={block.pointer} />}
      </p>
      <p class="row">
        <button type="button" onClick={assign(bench.tab, 'text')}>
          Show its {formNames[bench.draft.form.value]}
        </button>
        <button type="button" onClick={() => bench.select(undefined)}>
          Back to the turn
        </button>
      </p>
      {block && <BlockTools bench={bench} block={block} />}
      {visits.length === 0 && <p>This conversation has not come here.</p>}
      {visits.map(({ turn, step }, index) => (
        <div key={index} class="visit">
          <TurnLink bench={bench} turn={turn} />
          <StepView bench={bench} step={step} />
        </div>
      ))}
    </>
  )
}

function PlaceOf({ bench: { draft }, pointer }: BenchProps & { readonly pointer: string }) {
  const line = draft.placeOf(pointer)?.split(':')[0]
  return line === undefined ? <code>{pointer}</code> : <span>line {line}</span>
}

function BlockTools({ bench, block: { id, groupId } }: BenchProps & { readonly block: PlacedBlock }) {
  const { breakpoints, toggle } = bench.trial.stepper
  const place = { type: 'group', groupId } as const
  return (
    <p class="row">
      <button type="button" onClick={() => void bench.startAt({ ...place, blockId: id })}>
        Start here
      </button>
      <button type="button" onClick={() => void bench.startAt(place)}>
        Start at its group
      </button>
      <button type="button" aria-pressed={breakpoints.value.has(id)} onClick={() => toggle(id)}>
        Breakpoint
      </button>
    </p>
  )
}

function EdgeWhy({ bench, edgeId }: BenchProps & { readonly edgeId: string }) {
  const edge = bench.draft.parts.value.edges.get(edgeId)
  const taken = bench.trial.moments.value.flatMap(({ trace }, turn) => {
    const hops = trace ? [...trace.came, ...trace.steps.flatMap(({ went }) => went)] : []
    return hops.some((hop) => hop.edgeId === edgeId) ? [turn] : []
  })
  return (
    <>
      <h2>The way to {edge?.target ?? edgeId}</h2>
      {edge && <EdgeSource bench={bench} edge={edge} />}
      {taken.length > 0 ? (
        <p>
          It was taken in{' '}
          {taken.map((turn) => (
            <TurnLink key={turn} bench={bench} turn={turn} />
          ))}
          .
        </p>
      ) : (
        <p>It was not taken.</p>
      )}
      {edge?.blockId !== undefined && <Decisions bench={bench} blockId={edge.blockId} />}
    </>
  )
}

function EdgeSource({ bench, edge: { blockId, item } }: BenchProps & { readonly edge: PlacedEdge }) {
  if (blockId === undefined)
    return <p>It begins at {item === undefined ? 'nothing' : `the event “${item}”`}.</p>
  return (
    <p>
      It leaves <BlockLink bench={bench} blockId={blockId} />
      {item !== undefined && <> by “{item}”</>}.
    </p>
  )
}

/** What the block decided each time that a way left from it. */
function Decisions({ bench, blockId }: BenchProps & { readonly blockId: string }) {
  const visits = visitsOf({ bench }, blockId)
  if (visits.length === 0) return <p>The conversation has not come to the block from which it leads.</p>
  return (
    <>
      {visits.map(({ turn, step }, index) => (
        <div key={index} class="visit">
          <TurnLink bench={bench} turn={turn} />
          {step.comparisons && <Comparisons bench={bench} comparisons={step.comparisons} />}
          <p class="went">
            <Hops bench={bench} hops={step.went} />
          </p>
        </div>
      ))}
    </>
  )
}

import type { TraceStep } from '../../../client/client.ts'
import { inLine } from '../state/json.ts'
import type { BenchProps } from '../state/workbench.ts'
import { BlockLink, EdgeLink, VariableLink } from './links.tsx'

type Hop = TraceStep['went'][number]
type Comparison = NonNullable<TraceStep['comparisons']>[number]

/** What a block did, and why the conversation went on as it did. */
export function StepView({ bench, step }: BenchProps & { readonly step: TraceStep }) {
  const { block, did, reply, comparisons = [], wrote = [], logs = [], went } = step
  return (
    <article class="step">
      <h3>
        <BlockLink bench={bench} blockId={block.blockId} />
        <small>
          {block.blockType}
          {did === 'took a reply' ? ', took a reply' : ''}
        </small>
      </h3>
      {reply && (
        <p>
          The answer was <b>{reply.outcome}</b>
          {reply.content !== undefined && <> as {inLine(reply.content)}</>}
          {reply.rule !== undefined && `: ${reply.rule}`}.
        </p>
      )}
      {comparisons.length > 0 && <Comparisons bench={bench} comparisons={comparisons} />}
      {wrote.map(({ variableId, variable, before, after }) => (
        <p key={`${variableId} ${variable}`}>
          {variableId === undefined ? (
            variable
          ) : (
            <VariableLink bench={bench} variableId={variableId} name={variable} />
          )}{' '}
          was {inLine(before)}, is <b>{inLine(after)}</b>
        </p>
      ))}
      {logs.map((log) => (
        <p key={log} class="soft">
          {log}
        </p>
      ))}
      <p class="went">
        <Hops bench={bench} hops={went} />
      </p>
    </article>
  )
}

/** Both sides of comparisons, and how they were compared. */
export function Comparisons({
  bench,
  comparisons,
}: BenchProps & { readonly comparisons: readonly Comparison[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Variable</th>
          <th scope="col">Value</th>
          <th scope="col">Comparison</th>
          <th scope="col">With</th>
          <th scope="col">Holds</th>
        </tr>
      </thead>
      <tbody>
        {comparisons.map((one) => (
          <tr key={one.pointer} class={one.holds ? 'holds' : 'fails'}>
            <td>
              <VariableLink bench={bench} variableId={one.variableId} name={one.variable ?? one.variableId} />
            </td>
            <td>{inLine(one.left)}</td>
            <td>
              {one.operator}{' '}
              <small>
                {one.by}
                {one.sizes && `: ${one.sizes.map((size) => size ?? '–').join(' and ')}`}
              </small>
            </td>
            <td>{inLine(one.right)}</td>
            <td>{one.holds ? 'yes' : 'no'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Why the conversation went on as it did. */
export function Hops({ bench, hops }: BenchProps & { readonly hops: readonly Hop[] }) {
  const { groupTitles } = bench.draft.parts.value
  return (
    <>
      {hops.map((hop, index) => (
        <span key={index}>
          {index > 0 && ', then '}
          {reasons[hop.why]}
          {hop.edgeId !== undefined && (
            <>
              {' '}
              <EdgeLink bench={bench} edgeId={hop.edgeId} />
            </>
          )}
          {hop.groupId !== undefined && ` (${groupTitles.get(hop.groupId) ?? hop.groupId})`}
          {hop.flowId !== undefined && ` (${hop.flowId})`}
        </span>
      ))}
    </>
  )
}

const reasons: Readonly<Record<Hop['why'], string>> = {
  'start edge': 'The start leads',
  'chosen place': 'It began at the chosen place',
  event: 'An event leads',
  'own edge': 'Its own edge leads',
  'item edge': 'The edge of an item leads',
  'next in group': 'Next in the group',
  jump: 'It jumps',
  return: 'It comes back',
  link: 'It enters another flow',
  'link ended': 'The linked flow is over',
  'link not followed': 'The link is passed by',
  'item without edge': 'It was decided for an item that leads nowhere',
  'missing edge': 'The edge is not there',
  'missing group': 'The group is not there',
  'empty group': 'The group is empty',
  refused: 'It asks again',
  waits: 'It waits',
  end: 'The conversation is over',
  limit: 'A limit ended it',
}

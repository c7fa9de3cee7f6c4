import { inLine } from '../state/json.ts'
import type { BenchProps } from '../state/workbench.ts'
import { BlockLink, TurnLink } from './links.tsx'

interface Value {
  readonly before: unknown
  readonly now: unknown
  /** The turn that wrote it last. */
  readonly turn: number | undefined
}

/** Every variable: what it is, what it was, and which blocks read and write it. */
export function VariablesPanel({ bench }: BenchProps) {
  const { variables } = bench.draft.parts.value
  const values = valuesAt({ bench })
  const chosen = bench.selected.value
  const picked = chosen?.kind === 'variable' ? chosen.variableId : undefined
  return (
    <>
      {variables.length === 0 && <p class="soft">This flow declares no variable.</p>}
      {variables.length > 0 && (
        <table class="variables">
          <thead>
            <tr>
              <th scope="col">Variable</th>
              <th scope="col">Value</th>
              <th scope="col">Before</th>
              <th scope="col">Written in</th>
            </tr>
          </thead>
          <tbody>
            {variables.map(({ id, name }) => {
              const value = values.get(id)
              return (
                <tr key={id} class={picked === id ? 'picked' : ''}>
                  <th scope="row">
                    <button
                      type="button"
                      class="link"
                      aria-expanded={picked === id}
                      onClick={() =>
                        bench.select(picked === id ? undefined : { kind: 'variable', variableId: id })
                      }
                    >
                      {name}
                    </button>
                  </th>
                  <td>{inLine(value?.now)}</td>
                  <td class="soft">{inLine(value?.before)}</td>
                  <td>{value?.turn !== undefined && <TurnLink bench={bench} turn={value.turn} />}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      {picked !== undefined && <Uses bench={bench} variableId={picked} />}
    </>
  )
}

function Uses({ bench, variableId }: BenchProps & { readonly variableId: string }) {
  const blocks = [...bench.draft.parts.value.blocks.values()]
  const name = bench.draft.parts.value.variables.find(({ id }) => id === variableId)?.name ?? variableId
  const readers = blocks.filter(({ reads }) => reads.has(variableId)).map(({ id }) => id)
  const wrote = bench.trial.moments.value
    .flatMap(({ trace }) => trace?.steps ?? [])
    .filter((step) => step.wrote?.some((one) => one.variableId === variableId))
    .map(({ block }) => block.blockId)
  const writers = blocks.filter(({ writes }) => writes.has(variableId)).map(({ id }) => id)
  return (
    <section class="uses" aria-label={`Where ${name} is used`}>
      <UseList
        bench={bench}
        title={`${name} is written by`}
        blockIds={[...new Set([...writers, ...wrote])]}
      />
      <UseList bench={bench} title={`${name} is read by`} blockIds={readers} />
    </section>
  )
}

interface UseListProps extends BenchProps {
  readonly title: string
  readonly blockIds: readonly string[]
}

function UseList({ bench, title, blockIds }: UseListProps) {
  return (
    <div>
      <h3>{title}</h3>
      {blockIds.length === 0 ? (
        <p class="soft">no block</p>
      ) : (
        <ul>
          {blockIds.map((blockId) => (
            <li key={blockId}>
              <BlockLink bench={bench} blockId={blockId} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Values after the turn that is looked at. */
function valuesAt({ bench }: BenchProps): ReadonlyMap<string, Value> {
  const { variables } = bench.draft.parts.value
  const values = new Map<string, Value>()
  for (const { id, name, value } of variables) {
    const now = bench.trial.firstValues.value[name] ?? value
    values.set(id, { before: null, now, turn: undefined })
  }
  for (const [turn, { trace }] of bench.trial.moments.value.slice(0, bench.turn.value + 1).entries())
    for (const { wrote = [] } of trace?.steps ?? [])
      for (const { variableId, before, after } of wrote)
        if (variableId !== undefined) values.set(variableId, { before, now: after, turn })
  return values
}

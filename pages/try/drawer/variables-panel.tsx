import { useState } from 'preact/hooks'
import { readJson } from '../../shared/browser-storage.ts'
import { inLine } from '../state/json.ts'
import type { Values } from '../state/moments.ts'
import type { BenchProps } from '../state/workbench.ts'
import { BlockLink, TurnLink } from './links.tsx'

interface Value {
  readonly before: unknown
  readonly now: unknown
  /** The turn that wrote it last. */
  readonly turn: number | undefined
  /** Whether it was given by hand, with the next answer. */
  readonly isDue?: boolean
}

/** Every variable: what it is, what it was, which blocks read and write it, and what else it may be. */
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
                  <td>
                    <ValueField
                      key={`${name} ${inLine(value?.now)}`}
                      bench={bench}
                      name={name}
                      value={value?.now}
                    />
                  </td>
                  <td class="soft">{inLine(value?.before)}</td>
                  <td>
                    {value?.isDue && 'the next answer'}
                    {value?.turn !== undefined && <TurnLink bench={bench} turn={value.turn} />}
                  </td>
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

interface ValueFieldProps extends BenchProps {
  readonly name: string
  readonly value: unknown
}

/** A value that can be typed over: it then holds from the next answer on, or from the start. */
function ValueField({ bench, name, value }: ValueFieldProps) {
  const shown = Array.isArray(value) ? JSON.stringify(value) : String(value ?? '')
  const [text, setText] = useState(shown)
  const { trial } = bench
  const isLast = bench.turn.value === trial.moments.value.length - 1
  const isOver = isLast && trial.moments.value.at(-1)?.asks === 'nothing'
  const set = (act: typeof bench.setHere) => void act(name, readValue(text))
  return (
    <form
      class="value-field"
      onSubmit={(event) => {
        event.preventDefault()
        if (text !== shown) set(isOver ? bench.setFirst : bench.setHere)
      }}
    >
      <input
        aria-label={`Value of ${name}`}
        placeholder="no value"
        autocomplete="off"
        disabled={trial.stepper.position.value !== undefined}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') setText(shown)
        }}
      />
      {text !== shown && (
        <span class="row">
          {!isOver && <button type="submit">Set</button>}
          <button type="button" onClick={() => set(bench.setFirst)}>
            From the start
          </button>
        </span>
      )}
    </form>
  )
}

/** What somebody has typed, as variables hold it: nothing, a list that is written as JSON, or a text. */
function readValue(text: string): unknown {
  const list = text.startsWith('[') ? readJson(text) : undefined
  return Array.isArray(list) ? list : text || null
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
  const setBy = (set: Values, where: Pick<Value, 'turn' | 'isDue'>) => {
    for (const { id, name } of variables)
      if (Object.hasOwn(set, name)) values.set(id, { before: values.get(id)?.now, now: set[name], ...where })
  }
  for (const [turn, { said, trace }] of bench.turns.value.entries()) {
    setBy(said?.set ?? {}, { turn })
    for (const { wrote = [] } of trace?.steps ?? [])
      for (const { variableId, before, after } of wrote)
        if (variableId !== undefined) values.set(variableId, { before, now: after, turn })
  }
  const isLast = bench.turn.value === bench.trial.moments.value.length - 1
  if (isLast) setBy(bench.trial.set.value, { turn: undefined, isDue: true })
  return values
}

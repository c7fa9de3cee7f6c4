import { useState } from 'preact/hooks'
import type { PlacedBlock } from '../state/flow-parts.ts'
import type { BenchProps } from '../state/workbench.ts'

/** Blocks that are shown at once. */
const mostFound = 8

/** Finds a block by its words, its type, its group or its id. */
export function BlockSearch({ bench }: BenchProps) {
  const [sought, setSought] = useState('')
  const found = sought === '' ? [] : search(bench.draft.parts.value.blocks.values(), sought)
  const choose = (block: PlacedBlock | undefined) => {
    if (!block) return
    setSought('')
    bench.select({ kind: 'block', blockId: block.id })
  }
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault()
        choose(found[0])
      }}
    >
      <input
        id="search"
        type="search"
        aria-label="Search a block"
        placeholder="Search a block  /"
        autocomplete="off"
        value={sought}
        onInput={({ currentTarget }) => setSought(currentTarget.value)}
      />
      {found.length > 0 && (
        <ul>
          {found.map((block) => (
            <li key={block.id}>
              <button type="button" class="choice-line" onClick={() => choose(block)}>
                {block.groupTitle}: {block.label} <small>{block.type}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}

function search(blocks: Iterable<PlacedBlock>, sought: string): PlacedBlock[] {
  const wanted = sought.toLowerCase()
  const found: PlacedBlock[] = []
  for (const block of blocks) {
    const { id, type, groupTitle, label } = block
    if (`${groupTitle} ${label} ${type} ${id}`.toLowerCase().includes(wanted)) found.push(block)
    if (found.length === mostFound) break
  }
  return found
}

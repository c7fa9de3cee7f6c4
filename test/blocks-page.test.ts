import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blockHandlers, blockRegistry } from '../src/blocks/index.ts'
import type { AnyBlock } from '../src/engine/model/block-handler.ts'
import { runBlock } from './support/run-block.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/blocks.md'), 'utf8')

/** A row of the page: the type, and the three cells behind it. */
interface Row {
  readonly type: string
  readonly cells: readonly string[]
}

const rows = rowsIn(page)

function rowsIn(text: string): Row[] {
  return [...text.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(([, type = '', rest = '']) => ({
    type,
    cells: rest.split(' | ').map((cell) => cell.trim()),
  }))
}

describe('the page of blocks', () => {
  it('has one row for each type, and none for others', () => {
    expect(rows.map(({ type }) => type).sort()).toEqual([...blockRegistry.keys()].sort())
  })

  it.each(rows)('reports what becomes of $type, what else it may be, and where to read on', ({ cells }) => {
    expect(cells.length).toBe(3)
    expect(cells.every((cell) => cell !== '')).toBe(true)
    expect(cells[2]).toMatch(/^\[[^\]]+\]\(behaviour\/\w+\.md#[\w-]+\)$/)
  })

  it('names each section as it is called', () => {
    const wrong = rows.filter(({ cells: [, , link = ''] }) => {
      const [, name = '', anchor] = /^\[([^\]]+)\]\(behaviour\/\w+\.md#([\w-]+)\)$/.exec(link) ?? []
      return name.toLowerCase().replaceAll(',', '').replaceAll(' ', '-') !== anchor
    })
    expect(wrong).toEqual([])
  })

  it('lists as not run those that say so when they are met', () => {
    const [, notRun = ''] = page.split('## Not run here')
    const saying = blockHandlers
      .filter(({ kind }) => kind === 'integration')
      .flatMap((handler) => handler.types.map((type) => ({ handler, type })))
      .filter(({ handler, type }) => {
        const { logs = [] } = runBlock(handler, { id: 'b1', type, options: {} } as AnyBlock)
        return logs.some(({ description }) => description === `${type} is not available on this server`)
      })
    expect(rowsIn(notRun).map(({ type }) => type)).toEqual(saying.map(({ type }) => type))
  })
})

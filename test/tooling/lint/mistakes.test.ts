import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { checkFiles } from '../../../src/cli/lint-files/check-files.ts'
import { withBubbles } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { exportedWith, mistakes } from './mistakes.ts'

const folder = join(import.meta.dirname, 'mistakes')

const exported = mkdtempSync(join(tmpdir(), 'mistakes-'))
afterAll(() => rmSync(exported, { recursive: true }))

/** A flow as an editor writes it, of one that leaves out where things are drawn and gives a text bubble by its text. */
function asExported(flow: Json): Json {
  const events = (flow['events'] as Json[]).map(({ id, type, ...event }) => ({
    ...{ id, type, graphCoordinates: { x: 0, y: 0 } },
    ...event,
  }))
  const groups = (flow['groups'] as Json[]).map(({ id, title, ...group }, nth) => ({
    ...{ id, title, graphCoordinates: { x: 200.5 + 400 * nth, y: 120 } },
    ...withBubbles(group),
  }))
  return { ...flow, events, groups, ...exportedWith }
}

function check(name: string) {
  const path = join(exported, name)
  writeFileSync(
    path,
    JSON.stringify(asExported(JSON.parse(readFileSync(join(folder, name), 'utf8'))), null, 2),
  )
  return checkFiles([path], {
    configFor: async () => ({}),
    rules: {},
    accounts: undefined,
    registry: blockRegistry,
  })
}

describe('a flow as an editor exports it, with a mistake', () => {
  it.each(Object.entries(mistakes))('is found at its line, and nothing else: %s', async (name, expected) => {
    const [file] = await check(name)
    const found = file?.findings.filter(({ severity }) => severity !== 'info') ?? []
    expect(found.map(({ code, range }) => [code, range.start.line + 1])).toEqual(expected)
  })

  it('is listed for every file', () => {
    expect(Object.keys(mistakes)).toEqual(readdirSync(folder).sort())
    expect(Object.keys(mistakes).length).toBeGreaterThanOrEqual(20)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ProgramCache } from '../../src/conversations/session/program-cache.ts'
import { type Blocks, loadBlocks } from '../../src/own-blocks/load-blocks.ts'
import { schemaFile } from '../../src/tooling/schema-files/schema-files.ts'
import { callCommandLine } from '../support/call-command-line.ts'
import { folderOfBlocks } from '../support/own-blocks.ts'
import { trusted } from '../support/preview-request.ts'
import { beginPreview } from '../support/start.ts'

const folder = join(import.meta.dirname, '../../examples/blocks')
const definition = JSON.parse(readFileSync(join(folder, 'orders.json'), 'utf8'))

let blocks: Blocks
beforeAll(async () => {
  blocks = await loadBlocks(folder)
})

describe('the own blocks of the examples', () => {
  it('pass lint, and their options are checked there', async () => {
    expect(await callCommandLine(['lint', '--max-warnings', '0', '--blocks', folder, folder])).toMatchObject({
      code: 0,
    })
    const wrong = JSON.stringify(definition).replace('"order":"{{Order}}"', '"ordr":"{{Order}}"')
    const { code, out } = await callCommandLine(['lint', folderOfBlocks({ 'a.json': wrong })], {
      BLOCKS_DIR: folder,
    })
    expect(code).toBe(1)
    expect(out).toContain("must have required property 'order'")
  })

  it('are unknown without their folder', async () => {
    const { out } = await callCommandLine(['lint', folder])
    expect(out).toContain('acme/order number')
  })

  it('pass their own cases and the tests of their flow, explore among them', async () => {
    const { code, out } = await callCommandLine(['test', '--blocks', folder, folder])
    expect(out).toContain('✓ acme/order number: takes a number as people write it')
    expect(out).toContain('✓ comes to an end on every way')
    expect([code, out.includes('✗')]).toEqual([0, false])
  })

  it('fail a case that expects something else', async () => {
    const source = readFileSync(join(folder, 'order-number.js'), 'utf8').replace(
      "vars: { Order: 'AB-123456' }",
      "vars: { Order: 'x' }",
    )
    const { code, out } = await callCommandLine([
      'test',
      '--blocks',
      folderOfBlocks({ 'a.js': source }),
      folder,
    ])
    expect(code).not.toBe(0)
    expect(out).toContain('✗ acme/order number: takes a number as people write it')
  })

  it('run their cases where no flow has tests, and a folder without either says so', async () => {
    const source = readFileSync(join(folder, 'order-number.js'), 'utf8')
    const alone = folderOfBlocks({ 'a.js': source })
    const { code, out } = await callCommandLine(['test', '--blocks', alone, alone])
    expect([code, out]).toEqual([0, expect.stringContaining('✓ acme/order number: takes a number')])
    expect(await callCommandLine(['test', alone], { BLOCKS_DIR: alone })).toMatchObject({ code: 0 })
    expect(await callCommandLine(['test', '--blocks', alone, `${alone}/nope`])).toMatchObject({ code: 2 })
    const bare = folderOfBlocks({ 'a.js': source.replace(/cases: \[.*\]/s, 'cases: []') })
    const none = await callCommandLine(['test', '--blocks', bare, bare])
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('no own block has cases')])
  })

  it('are shown as what every client knows, with what they are beside', async () => {
    const programs = new ProgramCache({ registry: blocks.registry, maxBytes: 1e6 })
    const started = await beginPreview({ definition, chat: { programs, drafts: programs } })
    expect(started.response['input']).toEqual({
      id: 'number',
      type: 'text input',
      options: { variableId: 'vOrder', labels: { placeholder: 'AB-123456' } },
      custom: { type: 'acme/order number', options: { variableId: 'vOrder' } },
    })
    expect(await started.continue({ message: { type: 'text', text: 'huh' } })).toMatchObject({
      input: { id: 'number' },
    })
    const { lastMessageNewFormat } = await started.continue({
      message: { type: 'text', text: 'ab 12-34 56' },
    })
    expect(lastMessageNewFormat).toBe('AB-123456')
  })

  it('are replayed as they were recorded, and part where they do something else', async () => {
    const programs = new ProgramCache({ registry: blocks.registry, maxBytes: 1e6 })
    const started = await beginPreview(
      { definition, body: { record: true }, chat: { programs, drafts: programs } },
      trusted,
    )
    await started.continue({ message: { type: 'text', text: 'AB123456' } })
    const recording = await started.world.chat.recording({ sessionId: 'session-1', caller: trusted })
    const files = folderOfBlocks({ 'one.recording.json': JSON.stringify(recording) })
    expect(await callCommandLine(['replay', '--blocks', folder, files])).toMatchObject({ code: 0 })
    expect(await callCommandLine(['replay', files])).toMatchObject({ code: 1 })
  })

  it('are completed and explained by the schema for editors', () => {
    const own = blocks.own.map(({ schema }) => schema)
    const text = schemaFile('flow.schema.json', own) ?? ''
    expect(text).toContain('Asks for the number of an order')
    expect(text).toContain('Receives the state, such as `shipped`')
    expect(schemaFile('flow.schema.json')).not.toContain('acme/')
  })
})

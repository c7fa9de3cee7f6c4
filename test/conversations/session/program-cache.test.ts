import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { ProgramCache } from '../../../src/conversations/session/program-cache.ts'
import { contentHash } from '../../../src/definition/content-hash.ts'
import { estimateProgramBytes } from '../../../src/engine/compile/program-size.ts'
import type { BlockHandler, BlockRegistry } from '../../../src/engine/model/block-handler.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import { bubble, textInput } from '../../fixtures/short-flows.ts'
import { startDraft, startLive } from '../../fixtures/starting.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { sentBodyOf } from '../../support/preview-request.ts'
import { createTestChat } from '../../support/start.ts'

const draft = wholeDefinition({ blocks: [bubble('b1'), textInput('b2')] })
const other = wholeDefinition({ blocks: [bubble('b1', 'Other'), textInput('b2')] })

/** What a program of that length counts as before it runs. */
const bytesOfOne = estimateProgramBytes(JSON.stringify(other))

const atOnce = async () => undefined

/** The registry of the service, with a text bubble that counts how often it is compiled. */
function countingRegistry(): { registry: BlockRegistry; compiled: string[] } {
  const compiled: string[] = []
  const text = blockRegistry.get('text') as BlockHandler
  const counting: BlockHandler = {
    ...text,
    compile(block, context) {
      compiled.push(block.id)
      return text.compile(block, context)
    },
  }
  return { registry: new Map([...blockRegistry, ['text', counting]]), compiled }
}

describe('programs', () => {
  it('of drafts are kept as soon as they come again, whoever sends them', async () => {
    const { registry, compiled } = countingRegistry()
    const chat = createTestChat([], { programs: new ProgramCache({ registry, maxBytes: 1_000_000 }) })
    const start = () => startDraft(chat, { flow: structuredClone(draft), sessionId: 'mine' })
    const first = await start()
    expect(compiled).toEqual(['b1'])
    expect([await start(), await start(), await start()]).toEqual([first, first, first])
    expect(compiled).toEqual(['b1', 'b1'])
  })

  it('of drafts are kept when their sessions go on', async () => {
    const { registry, compiled } = countingRegistry()
    const chat = createTestChat([], { programs: new ProgramCache({ registry, maxBytes: 1_000_000 }) })
    const flow = wholeDefinition({ blocks: [textInput('b1'), bubble('b2'), textInput('b3'), bubble('b4')] })
    const { sessionId } = await startDraft(chat, { flow })
    for (const message of ['one', 'two']) {
      await chat.chat.continue({
        caller: anonymous,
        sessionId: String(sessionId),
        origin: undefined,
        body: { message },
      })
    }
    expect(compiled).toEqual(['b2', 'b4'])
    expect(chat.drafts.usage().entries).toBe(1)
  })

  it('are compiled again for a draft that differs', async () => {
    const { registry, compiled } = countingRegistry()
    const chat = createTestChat([], { programs: new ProgramCache({ registry, maxBytes: 1_000_000 }) })
    await startDraft(chat, { flow: draft })
    const response = await startDraft(chat, { flow: other })
    expect(compiled).toEqual(['b1', 'b1'])
    expect(response['messages']).toMatchObject([
      { content: { richText: [{ children: [{ text: 'Other' }] }] } },
    ])
  })

  it('are named by the content of what they were compiled from', () => {
    const programs = new ProgramCache({ registry: blockRegistry, maxBytes: 1_000_000 })
    const { program, text } = programs.prepare(draft)
    expect(text).toBe(JSON.stringify(draft))
    expect(program.hash).toBe(contentHash(text))
    expect(programs.prepare(JSON.parse(text)).program).toBe(program)
    expect(programs.prepare(other).program).not.toBe(program)
  })

  it('of drafts are named by the bodies that brought them, and compiled again from those', async () => {
    const programs = new ProgramCache({ registry: blockRegistry, maxBytes: 1_000_000 })
    const body = { sessionId: 'mine', flow: draft }
    const sent = sentBodyOf(JSON.stringify(body))
    const { program } = await programs.prepareDraft(body, sent, atOnce)
    expect(program.hash).not.toBe(programs.prepare(draft).program.hash)
    const later = new ProgramCache({ registry: blockRegistry, maxBytes: 1_000_000 })
    const restored = await later.restore({ hash: program.hash, text: sent.text }, atOnce)
    expect([restored.hash, restored.blocks.has('b2')]).toEqual([program.hash, true])
  })

  it('of drafts are recalled by the bodies that brought them, with what came along', async () => {
    const programs = new ProgramCache({ registry: blockRegistry, maxBytes: 1_000_000 })
    const body = { sessionId: 'mine', flow: draft }
    const sent = sentBodyOf(JSON.stringify(body))
    const prepare = () => programs.prepareDraft(body, sent, atOnce)
    expect([(await prepare()).wasKnown, programs.recall(sent.name)]).toEqual([false, undefined])
    const { program, wasKnown } = await prepare()
    expect([wasKnown, programs.recall(sent.name)]).toEqual([false, { program, body: { sessionId: 'mine' } }])
    expect(await prepare()).toEqual({ program, wasKnown: true })
    const another = { ...body, sessionId: 'other' }
    expect(programs.recall(sentBodyOf(JSON.stringify(another)).name)).toBeUndefined()
  })

  it('that were restored are recalled once their bodies come again', async () => {
    const programs = new ProgramCache({ registry: blockRegistry, maxBytes: 1_000_000 })
    const body = { flow: draft }
    const sent = sentBodyOf(JSON.stringify(body))
    const { program } = await programs.prepareDraft(body, sent, atOnce)
    const restored = await programs.restore({ hash: program.hash, text: sent.text }, atOnce)
    expect(programs.recall(sent.name)).toBeUndefined()
    expect(await programs.prepareDraft(body, sent, atOnce)).toEqual({ program: restored, wasKnown: true })
    expect(programs.recall(sent.name)).toEqual({ program: restored, body: {} })
  })

  it('are forgotten when there is no room, the least recently used first', () => {
    const programs = new ProgramCache({ registry: blockRegistry, maxBytes: 2.5 * bytesOfOne })
    const third = wholeDefinition({ blocks: [bubble('b1', 'Third'), textInput('b2')] })
    const first = programs.prepare(draft).program
    const second = programs.prepare(other).program
    expect(programs.prepare(draft).program).toBe(first)
    programs.prepare(third)
    expect(programs.prepare(draft).program).toBe(first)
    expect(programs.prepare(other).program).not.toBe(second)
  })

  it('are kept when they are the newest, however large they are', async () => {
    const { registry, compiled } = countingRegistry()
    const drafts = new ProgramCache({ registry, maxBytes: 1 })
    const chat = createTestChat([], { drafts })
    const flow = wholeDefinition({ blocks: [textInput('b1'), bubble('b2'), textInput('b3'), bubble('b4')] })
    const { sessionId } = await startDraft(chat, { flow })
    for (const message of ['one', 'two']) {
      const before = drafts.usage().entries
      await chat.chat.continue({
        caller: anonymous,
        sessionId: String(sessionId),
        origin: undefined,
        body: { message },
      })
      expect([before, drafts.usage().entries]).toEqual([message === 'one' ? 0 : 1, 1])
    }
    expect(compiled).toEqual(['b2', 'b4'])
    await startDraft(chat, { flow: draft })
    await startDraft(chat, { flow: draft })
    expect(drafts.usage()).toMatchObject({ entries: 1, evicted: 1 })
  })

  it('make room for others as soon as they grow', () => {
    const programs = new ProgramCache({ registry: blockRegistry, maxBytes: 2.5 * bytesOfOne })
    const first = programs.prepare(draft).program
    const second = programs.prepare(other).program
    const { bytes } = programs.usage()
    second.footprint.add(100)
    expect(programs.usage()).toEqual({ entries: 2, bytes: bytes + 100, evicted: 0 })
    second.footprint.add(bytesOfOne)
    expect(programs.known(first.hash)).toBeUndefined()
    expect(programs.usage()).toMatchObject({ entries: 1, evicted: 1 })
    // What has left the cache counts no longer.
    const left = programs.usage()
    first.footprint.add(bytesOfOne)
    expect(programs.usage()).toEqual(left)
  })

  it('of live sessions are kept, however many drafts come', async () => {
    const { registry, compiled } = countingRegistry()
    const room = { registry, maxBytes: 2.5 * bytesOfOne }
    const before = wholeDefinition({ blocks: [textInput('i'), bubble('old', 'Old')] })
    const worlds = { programs: new ProgramCache(room), drafts: new ProgramCache(room) }
    const first = createTestChat([before], worlds)
    const { conversations, definitions } = first
    const { program, text } = worlds.programs.prepare(before)
    await definitions.put(program.hash, text)
    const { sessionId } = await startLive(first)
    const goOn = {
      caller: anonymous,
      sessionId: String(sessionId),
      origin: undefined,
      body: { message: 'x' },
    }
    const { chat } = createTestChat([], { ...worlds, conversations, definitions })
    for (let nth = 0; nth < 5; nth++) {
      const flow = wholeDefinition({ blocks: [bubble(`d${nth}`), textInput('i')] })
      await startDraft({ chat }, { flow })
    }
    expect(worlds.programs.known(program.hash)).toBe(program)
    await chat.continue(goOn)
    expect(compiled).toEqual(['d0', 'd1', 'd2', 'd3', 'd4', 'old'])
  })

  it.each([
    ['in one go where the definition is small', 1_500_000, 0],
    ['by turns with others where it is large', 1_600_000, 3],
  ])('are made %s', async (_name, length, turns) => {
    const programs = new ProgramCache({ registry: blockRegistry, maxBytes: 100_000_000 })
    const large = wholeDefinition({ blocks: [bubble('b1', 'x'.repeat(length)), textInput('b2')] })
    let taken = 0
    const nextTurn = async () => {
      taken += 1
    }
    const body = { flow: large }
    const sent = sentBodyOf(JSON.stringify(body))
    await programs.prepareDraft(body, sent, nextTurn)
    expect(taken).toBe(turns)
    await programs.prepareDraft(body, sent, nextTurn)
    const { wasKnown } = await programs.prepareDraft(body, sent, nextTurn)
    expect([wasKnown, taken]).toEqual([true, 2 * turns])
  })

  it('are refused by turns too', async () => {
    const programs = new ProgramCache({ registry: blockRegistry, maxBytes: 1_000_000 })
    const body = { flow: { ...draft, groups: 5, padding: 'x'.repeat(1_600_000) } }
    const sent = sentBodyOf(JSON.stringify(body))
    await expect(programs.prepareDraft(body, sent, atOnce)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('are not kept of a definition that is wrong', () => {
    const programs = new ProgramCache({ registry: blockRegistry, maxBytes: 1_000_000 })
    for (const _attempt of [1, 2]) {
      expect(() => programs.prepare({ ...draft, groups: 5 })).toThrow('Input validation failed')
    }
  })
})

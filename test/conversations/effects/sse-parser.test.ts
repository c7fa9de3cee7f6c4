import { describe, expect, it } from 'vitest'
import { eventData } from '../../../src/conversations/effects/models/sse-parser.ts'

async function* sent(pieces: readonly (string | Uint8Array)[]) {
  for (const piece of pieces) yield Buffer.from(piece)
}

async function read(pieces: readonly (string | Uint8Array)[]): Promise<string[]> {
  const data: string[] = []
  for await (const event of eventData(sent(pieces), () => undefined)) data.push(event)
  return data
}

describe('server-sent events', () => {
  it.each<[string, string, string[]]>([
    ['one event', 'data: a\n\n', ['a']],
    ['no space behind the colon', 'data:a\n\n', ['a']],
    ['one space alone left out', 'data:  a \n\n', [' a ']],
    ['lines that end with CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['lines that end with CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['several lines', 'data: a\ndata: b\n\n', ['a\nb']],
    ['a field without a value', 'data\n\n', ['']],
    ['comments and other fields', ': ping\nevent: x\nid: 1\nretry: 5\ndata: a\n\n: ping\n\n', ['a']],
    ['another field that begins alike', 'database: x\n\ndata: a\n\n', ['a']],
    ['a last event without a blank line', 'data: a\n\ndata: b', ['a', 'b']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['nothing', '', []],
    ['blank lines', '\n\n\r\n', []],
    ['what is no event', '{"choices":[]}', []],
  ])('are read: %s', async (_, text, data) => {
    expect(await read([text])).toEqual(data)
  })

  const text =
    ': hi\r\ndata: {"a":"Zoé 🙂"}\r\n\r\ndata: b\rdata: c\r\rdata: d\r\ndata: e\r\n\r\ndata: ü\n\ndata: [DONE]\n\n'
  const bytes = Buffer.from(text)
  const whole = ['{"a":"Zoé 🙂"}', 'b\nc', 'd\ne', 'ü', '[DONE]']

  it('are the same wherever the bytes are cut', async () => {
    expect(await read([bytes])).toEqual(whole)
    for (let at = 0; at <= bytes.length; at++) {
      expect(await read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole)
    }
  })

  it('are the same byte by byte', async () => {
    expect(await read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
  })

  it('may be as long as they like', async () => {
    const piece = 'x'.repeat(16)
    const pieces = Array.from({ length: 100_000 }, () => piece)
    const [data] = await read(['data: ', ...pieces, '\n\n'])
    expect(data).toHaveLength(1_600_000)
  })

  it('are not longer than any is', async () => {
    const pieces = Array.from({ length: 80 }, () => 'x'.repeat(64 * 1024))
    await expect(read(['data: ', ...pieces])).rejects.toThrow('An event of the answer is too long')
    const lines = Array.from({ length: 80 }, () => `data: ${'x'.repeat(64 * 1024)}\n`)
    await expect(read(lines)).rejects.toThrow('An event of the answer is too long')
  })

  it.each([
    ['\n', 'line ends'],
    [':\r\n', 'comments'],
    ['data: x\n\n', 'events'],
  ])('let others be served between pieces, however much comes at once: %j', async (part) => {
    let given = 0
    const yieldToEventLoop = async () => void given++
    let events = 0
    let mostBetween = 0
    for await (const _ of eventData(sent([part.repeat(50_000)]), yieldToEventLoop)) {
      events = given === 0 ? events + 1 : events
      mostBetween = Math.max(mostBetween, events)
    }
    expect(given).toBeGreaterThan((50_000 * part.length) / 5_000)
    expect(mostBetween).toBeLessThan(600)
  })
})

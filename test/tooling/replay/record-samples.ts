import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import type { StartChatBody } from '../../../schemas/start-chat.ts'
import { createCodeSandbox } from '../../../src/adapters/code-sandbox/code-sandbox.ts'
import { anonymous } from '../../../src/ports/caller.ts'
import type { Json } from '../../support/json.ts'
import { recordingsFolder, sampleFlows } from '../../support/sample-recordings.ts'
import { createTestChat } from '../../support/start.ts'
import { parseWire } from '../../support/wire.ts'

// Converses with the sample flows and writes down what came of it: `node --import tsx test/tooling/replay/record-samples.ts`. To be
// run again when a sample flow, or on purpose what the engine does with one, has changed.

/** What visitors say to inputs of a type, one after the other; others get words. */
const said: Readonly<Record<string, readonly string[]>> = {
  'email input': ['no address', 'ada@example.com'],
  'number input': ['3', '42'],
  'phone number input': ['+33 6 12 34 56 78'],
  'url input': ['example.com'],
  'date input': ['2026-12-24'],
  'rating input': ['4'],
  'file input': ['https://files.example/a.png'],
}

const mostTurns = 14

function answerTo(input: Json, nth: number, turn: number): ContinueChatBody {
  const items = (input['items'] as { id: string; content?: string; title?: string }[] | undefined) ?? []
  const item = items[(nth + turn) % (items.length || 1)]
  if (item) {
    const text = item.content ?? item.title ?? item.id
    return { message: { type: 'text', text, metadata: { replyId: item.id } } }
  }
  const words = said[String(input['type'])] ?? ['NW-12345', 'Ada']
  return { message: words[turn % words.length] as string }
}

async function record(name: string, nth: number): Promise<object> {
  const live = { share: 1, isForErrors: false }
  const recordings = { maxLength: 1024 * 1024, live }
  const { chat } = createTestChat([...sampleFlows.values()], {
    sandbox,
    recordings,
    random: [0.2, 0.7, 0.4, 0.9],
  })
  const body = { textBubbleContentFormat: nth === 0 ? 'richText' : 'markdown' } as StartChatBody
  let answer = parseWire(await chat.startPublished({ publicId: name, origin: undefined, body }))
  for (let turn = 0; turn < mostTurns && (answer['input'] || answer['clientSideActions']); turn++) {
    const next = answer['input'] ? answerTo(answer['input'] as Json, nth, turn) : {}
    const turned = chat.continue({
      caller: anonymous,
      sessionId: 'session-1',
      origin: undefined,
      body: { ...next, ...body },
    })
    answer = parseWire(await turned.catch(() => '{}' as never))
  }
  const named = { publicId: name, resultId: 'result-1' }
  const { definitions: _, format, start, ...kept } = await chat.resultRecording(named)
  const { limits: __, ...started } = start
  return { format, start: started, ...kept }
}

const sandbox = createCodeSandbox()
for (const name of sampleFlows.keys()) {
  for (const nth of [0, 1]) {
    const path = join(recordingsFolder, `${name}-${nth + 1}.recording.json`)
    writeFileSync(path, `${JSON.stringify(await record(name, nth), null, 2)}\n`)
  }
}
await sandbox.close()

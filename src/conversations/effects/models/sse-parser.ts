import { createParser } from 'eventsource-parser'

/** Characters that are parsed between two chances for others: some hundred lines, where each is short. */
const pieceLength = 4096

/** Characters of one event: more than any answer of a model has. */
const maxEventLength = 4 * 1024 * 1024

/**
 * The data of each server-sent event, wherever the bytes are cut. Fields other than `data` say nothing here, and
 * comments keep a connection alive. `yieldToEventLoop` is awaited between pieces, however much comes at once.
 *
 * Throws when an event is longer than any is.
 */
export async function* eventData(
  body: AsyncIterable<Uint8Array>,
  yieldToEventLoop: () => Promise<void> | undefined,
): AsyncGenerator<string> {
  let events: string[] = []
  let failure: Error | undefined
  const parser = createParser({
    maxBufferSize: maxEventLength,
    onEvent: ({ data }) => void events.push(data),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') failure = new Error('An event of the answer is too long')
    },
  })
  for await (const piece of piecesOf(body)) {
    parser.feed(piece)
    if (failure) throw failure
    yield* events
    events = []
    await yieldToEventLoop()
  }
  // Some servers forget the blank line behind the last one.
  parser.feed('\n\n')
  yield* events
}

async function* piecesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const bytes of body) yield* cut(decoder.decode(bytes, { stream: true }))
  yield* cut(decoder.decode())
}

function* cut(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength)
}

/**
 * The text that the records of a stream carry. What else is in a stream, why it broke off included, is left out, as there
 * is no place for it in a text.
 */
export async function* recordTexts(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const record of recordsOf(pieces)) {
    // A record of a text is one that the service has written, as short as what a model sends at a time.
    if (record.startsWith('0:')) yield JSON.parse(record.slice(2))
  }
}

/** The records that all clients can read: older ones break off at the one about the end, which none of them needs. */
export async function* withoutEnd(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const record of recordsOf(pieces)) if (!record.startsWith('d:')) yield `${record}\n`
}

/** A record may come in pieces. */
async function* recordsOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

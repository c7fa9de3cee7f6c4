import type { Answer } from './exchange.ts'
import { Complaint } from './judge.ts'

/** Takes apart what came over a connection. Throws a `Complaint` about what is no HTTP. */
export function readAnswers(received: Buffer): Answer[] {
  const answers: Answer[] = []
  let rest = received
  while (rest.length > 0) {
    const { answer, length } = readAnswer(rest)
    if (answer.status >= 200) answers.push(answer)
    rest = rest.subarray(length)
  }
  return answers
}

function readAnswer(bytes: Buffer): { answer: Answer; length: number } {
  const headLength = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, Math.max(headLength, 0)).toString('latin1').split('\r\n')
  const [, status] = /^HTTP\/1\.1 (\d{3}) [\w' -]+$/.exec(first) ?? []
  if (status === undefined) throw new Complaint(`this is no answer: ${bytes.subarray(0, 500)}`)
  const headers = Object.fromEntries(
    lines
      .map((line) => line.split(/:\s*(.*)/s, 2))
      .map(([name = '', value = '']) => [name.toLowerCase(), value]),
  )
  const start = headLength + 4
  const rest = bytes.subarray(start)
  const body = readBody(rest, headers)
  return { answer: { status: Number(status), headers, body: body.content }, length: start + body.length }
}

/** Of a HEAD only the head comes: whatever it says of a body, the next answer follows, or nothing. */
function readBody(
  rest: Buffer,
  headers: Readonly<Record<string, string>>,
): { content: Buffer; length: number } {
  if (rest.length === 0 || rest.subarray(0, 9).toString('latin1') === 'HTTP/1.1 ')
    return { content: rest.subarray(0, 0), length: 0 }
  const length = Number(headers['content-length'] ?? 0)
  if (headers['transfer-encoding'] === 'chunked')
    throw new Complaint('nothing that is asked for here comes in chunks')
  return { content: rest.subarray(0, length), length: Math.min(length, rest.length) }
}

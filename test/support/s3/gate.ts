import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { TestBucket } from './s3rver.ts'

/** A refusal in place of what the server says, after it has done what was asked where `isDone`; `silence`: no answer. */
type Gate = 'silence' | { readonly status: number; readonly isDone?: boolean }

interface GatedBucket extends TestBucket {
  /** What becomes of each request; undefined for those that go through. */
  decide: (method: string, headers: Readonly<Record<string, unknown>>) => Gate | undefined
  readonly asked: string[]
}

/** Stands before a server: tests have it refuse, or be silent. */
export async function startGate(behind: TestBucket): Promise<GatedBucket> {
  const target = new URL(behind.url)
  const server = createServer((incoming, answer) => {
    const { method = '', url = '', headers } = incoming
    gate.asked.push(`${method} ${url}`)
    const decided = gate.decide(method, headers)
    if (decided === 'silence') return void incoming.resume()
    const refuse = (status: number) =>
      answer.writeHead(status).end(`<Error><Code>Told</Code><Message>by the gate</Message></Error>`)
    if (decided && !decided.isDone) {
      incoming.resume().on('end', () => refuse(decided.status))
      return undefined
    }
    const outgoing = send(
      { host: target.hostname, port: target.port, method, path: url, headers },
      (reply) => {
        if (decided) return void reply.resume().on('end', () => refuse(decided.status))
        answer.writeHead(reply.statusCode ?? 500, reply.headers)
        reply.pipe(answer)
        return undefined
      },
    )
    outgoing.on('error', () => answer.destroy())
    // As a server does: a body that breaks off is no request.
    incoming.on('close', () => incoming.complete || outgoing.destroy())
    incoming.pipe(outgoing)
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const gate: GatedBucket = {
    ...behind,
    url: `http://127.0.0.1:${port}${target.pathname}`,
    decide: () => undefined,
    asked: [],
  }
  return gate
}

import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readJsonBodies } from '../../../src/http/request/json-body-parser.ts'
import { createLongBodies } from '../../../src/http/request/large-body-budget.ts'

const headers = { 'content-type': 'application/json' }

/** A server with room for two long bodies, whose answers wait until they are let go. */
async function startServer(long: string) {
  const app = fastify({ bodyLimit: 4 * long.length })
  readJsonBodies(app, createLongBodies(2 * long.length))
  const waiting: (() => void)[] = []
  app.post('/', async () => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return {}
  })
  onTestFinished(() => app.close())
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const post = async (body: string) => {
    const response = await fetch(address, { method: 'POST', headers, body })
    return response.status === 200 ? 'answered' : ((await response.json()) as { message: string }).message
  }
  const arrived = (count: number) => expect.poll(() => waiting.length).toBe(count)
  const letGo = () => {
    for (const go of waiting.splice(0)) go()
  }
  return { post, arrived, letGo, port: Number(new URL(address).port) }
}

const full = 'Too many large requests are being answered'

describe.each([300, 1600])('large requests of %d KiB', (kibibytes) => {
  const long = JSON.stringify({ text: 'x'.repeat(kibibytes * 1024) })

  it('are refused while others take all the room, and taken again afterwards', async () => {
    const { post, arrived, letGo } = await startServer(long)
    const first = [post(long), post(long)]
    await arrived(2)
    expect(await post(long)).toBe(full)
    const short = post('{}')
    await arrived(3)
    letGo()
    expect(await Promise.all([...first, short])).toEqual(['answered', 'answered', 'answered'])
    const next = [post(long), post(long)]
    await arrived(2)
    letGo()
    expect(await Promise.all(next)).toEqual(['answered', 'answered'])
  })

  it('may be one of any size', async () => {
    const { post, arrived, letGo } = await startServer(long)
    const only = post(JSON.stringify({ text: 'x'.repeat(3 * kibibytes * 1024) }))
    await arrived(1)
    letGo()
    expect(await only).toBe('answered')
  })

  it('give their room back when they are no JSON', async () => {
    const { post, arrived, letGo } = await startServer(long)
    for (let nth = 0; nth < 3; nth++) expect(await post(`${long}}`)).not.toBe(full)
    const next = [post(long), post(long)]
    await arrived(2)
    letGo()
    expect(await Promise.all(next)).toEqual(['answered', 'answered'])
  })

  it('give their room back when their sender hangs up', async () => {
    const { post, arrived, letGo, port } = await startServer(long)
    for (let nth = 1; nth <= 2; nth++) {
      const socket = connect(port, '127.0.0.1')
      socket.write(
        `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${long.length}\r\n\r\n${long}`,
      )
      await arrived(nth)
      socket.destroy()
      await once(socket, 'close')
    }
    const next: Promise<string>[] = []
    await expect
      .poll(async () => {
        const answer = post(long)
        next.push(answer)
        return Promise.race([answer, arrived(3).then(() => 'taken')])
      })
      .toBe('taken')
    letGo()
    expect(await next.at(-1)).toBe('answered')
  })
})

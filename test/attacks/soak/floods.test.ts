import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { adminToken, type SoakedService, startSoakedService } from './service.ts'

const attacker = '198.51.100.1'
const visitor = '192.0.2.1'

const from = (address: string) => ({ 'x-forwarded-for': address })

let service: SoakedService

beforeAll(async () => {
  service = await startSoakedService()
}, 60_000)

afterAll(() => service?.stop())

async function begin(publicId: string, address: string) {
  const { sessionId, resultId } = await service.ask(`/v1/flows/${publicId}/startChat`, {}, from(address))
  return { sessionId, resultId }
}

/** How many times of so many something was let in. */
async function countAdmitted(times: number, enter: () => Promise<boolean>): Promise<number> {
  let admitted = 0
  for (let nth = 0; nth < times; nth++) if (await enter()) admitted += 1
  return admitted
}

describe('a flood from one address leaves others theirs', { timeout: 240_000 }, () => {
  it('of sockets that wait for webhooks', async () => {
    const enter = async (address: string) => {
      const { resultId } = await begin('listening', address)
      const url = `${service.address.replace('http', 'ws')}/parties/main/${resultId}/webhooks`
      const socket = new WebSocket(url, { headers: from(address) })
      onTestFinished(() => socket.terminate())
      return new Promise<boolean>((resolve) =>
        socket.on('open', () => resolve(true)).on('error', () => resolve(false)),
      )
    }
    expect(await countAdmitted(300, () => enter(attacker))).toBe(20)
    expect(await enter(visitor)).toBe(true)
  })

  it('of streams of events', async () => {
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    // One that is collected as garbage ends its stream.
    const responses: Response[] = []
    const enter = async (address: string) => {
      const { sessionId } = await begin('talk', address)
      const url = `${service.address}/v1/sessions/${sessionId}/events`
      const response = await fetch(url, { headers: from(address), signal: ending.signal })
      responses.push(response)
      return response.status === 200
    }
    expect(await countAdmitted(300, () => enter(attacker))).toBe(20)
    expect(await enter(visitor)).toBe(true)
    expect(responses).toHaveLength(301)
  })

  it('of logs, starts and answers', async () => {
    const answer = async (address: string) => {
      const begun = await begin('talk', address)
      await service.ask(`/v1/sessions/${begun.sessionId}/continueChat`, { message: 'Ada' }, from(address))
      return begun
    }
    const results = []
    for (let nth = 0; nth < 20; nth++) results.push((await answer(`192.0.2.${nth}`)).resultId)
    const clientLogs = Array(10).fill({ description: 'x'.repeat(500) })
    for (let nth = 0; nth < 500; nth++) {
      const { sessionId } = await answer(attacker)
      await service.ask(`/v2/sessions/${sessionId}/clientLogs`, { clientLogs }, from(attacker))
      await begin('talk', attacker)
    }
    const headers = { authorization: `Bearer ${adminToken}` }
    const statusOf = async (id: unknown) =>
      (await fetch(`${service.address}/v1/flows/talk/results/${id}`, { headers })).status
    expect(await Promise.all(results.map(statusOf))).toEqual(Array(20).fill(200))
  })
})

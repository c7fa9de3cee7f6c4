import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bubble, textInput } from '../../fixtures/short-flows.ts'
import { startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'

/** The service as its users run it, with one flow published as `welcome`. */
async function startService(): Promise<URL> {
  const flows = mkdtempSync(join(tmpdir(), 'flows-'))
  onTestFinished(() => rmSync(flows, { recursive: true }))
  const definition = wholeDefinition({ blocks: [bubble('b1', 'Hi'), textInput('i1'), bubble('b2', 'Bye')] })
  writeFileSync(join(flows, 'welcome.json'), JSON.stringify(definition))
  const service = await startBuiltService({ FLOWS_DIR: flows, LOG_LEVEL: 'info' })
  onTestFinished(async () => void (await service.stop()))
  return new URL(service.address)
}

const head = 'POST /v1/flows/welcome/startChat HTTP/1.1\r\nhost: a\r\n'

/** What whoever means to hold connections begins with, and goes on with as slowly as can be. */
const ways = {
  'sends nothing': ['', ''],
  'sends a head that never ends': [head, 'x-more: 1\r\n'],
  'sends a head byte by byte': ['P', ''],
  'sends a body that never ends': [
    `${head}content-type: application/json\r\ncontent-length: 100000\r\n\r\n{`,
    ' ',
  ],
  'sends to nowhere': ['POST /nowhere HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n', ' '],
}

interface SlowConnection {
  readonly way: string
  readonly socket: Socket
  /** What the service answered, once it has hung up. */
  readonly ended: Promise<string>
}

function holdConnection(port: number, way: keyof typeof ways): SlowConnection {
  const [first, more] = ways[way] as [string, string]
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)))
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
  })
  socket.on('error', () => undefined)
  socket.once('connect', () => {
    socket.write(first)
    const drip = setInterval(() => socket.writable && socket.write(more), 500)
    socket.once('close', () => clearInterval(drip))
  })
  onTestFinished(() => void socket.destroy())
  return { way, socket, ended }
}

/** Holds conversations, one after the other, until it is told to end; the statuses of all answers. */
async function converse(address: string, isOver: () => boolean): Promise<number[]> {
  const statuses: number[] = []
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) })
    statuses.push(response.status)
    return (await response.json()) as { sessionId: string }
  }
  while (!isOver()) {
    const { sessionId } = await post('v1/flows/welcome/startChat', {})
    await post(`v1/sessions/${sessionId}/continueChat`, { message: 'Hi' })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return statuses
}

it('serves everybody else while 500 connections are held by those who send nothing of use', async () => {
  const address = await startService()
  const names = Object.keys(ways) as (keyof typeof ways)[]
  const held = Array.from({ length: 500 }, (_, nth) =>
    holdConnection(Number(address.port), names[nth % names.length] as keyof typeof ways),
  )
  // Bodies have two minutes.
  const heads = held.filter(({ way }) => /nothing|head/.test(way))
  let isOver = false
  const visitors = Array.from({ length: 8 }, () => converse(address.href, () => isOver))
  const answers = await Promise.all(heads.map(async ({ way, ended }) => ({ way, answer: await ended })))
  isOver = true
  const statuses = (await Promise.all(visitors)).flat()
  expect(statuses.length).toBeGreaterThan(100)
  expect(new Set(statuses)).toEqual(new Set([200]))
  // A connection that is reset while it is written to loses the answer that it has not read yet.
  const read = answers.filter(({ answer }) => answer !== '')
  const told = new Set(read.map(({ way, answer }) => `${way}: ${answer.slice(9, 12)}`))
  expect(told).toEqual(
    new Set(['sends nothing: 408', 'sends a head that never ends: 408', 'sends a head byte by byte: 408']),
  )
})

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../src/blocks/index.ts'
import { readDefinition } from '../src/definition/read-definition.ts'
import { openFlows } from './publication/open-flows.ts'
import { buildTestApp } from './support/build-test-app.ts'
import type { Json } from './support/json.ts'
import { lintWhole } from './support/lint.ts'
import { previewRequest } from './support/preview-request.ts'
import { expectValid } from './support/response-validators.ts'
import { createTestChat } from './support/start.ts'
import { parseWire } from './support/wire.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'flows')
const names = readdirSync(folder).filter((name) => name.endsWith('.json'))

const read = (name: string): Json => JSON.parse(readFileSync(join(folder, name), 'utf8'))
const flowOf = (name: string) => readDefinition(read(name))
const blocksOf = (name: string) => flowOf(name).groups.flatMap(({ blocks }) => blocks)

describe.each(names)('flows/%s', (name) => {
  it('is valid, and the linter finds nothing wrong with it', () => {
    expect(lintWhole(read(name)).filter(({ severity }) => severity !== 'info')).toEqual([])
  })

  it('is published under the name of its file', () => {
    expect(flowOf(name)).toMatchObject({ publicId: name.replace('.json', '') })
    expect(flowOf(name)).not.toMatchObject({ isClosed: true })
    expect(flowOf(name)).not.toMatchObject({ isArchived: true })
  })

  it('starts by its public id with something to show, and nothing goes wrong', async () => {
    const { chat, reports } = createTestChat(names.map(read))
    const { app } = await buildTestApp({ chat })
    const { publicId } = flowOf(name)
    const response = await app.inject({ method: 'POST', url: `/v1/flows/${publicId}/startChat`, payload: {} })
    expect(response.statusCode).toBe(200)
    expectValid('public', response.json())
    const { messages, logs = [] } = response.json()
    expect(messages).not.toEqual([])
    expect(logs.filter(({ status }: Json) => status === 'error')).toEqual([])
    expect(reports).toEqual([])
  })

  it('starts at each of its groups as a preview, without a defect', async () => {
    for (const { id } of flowOf(name).groups) {
      const { chat, reports } = createTestChat(names.map(read))
      const startFrom = { type: 'group' as const, groupId: id }
      const response = await chat.startPreview(previewRequest({ flow: read(name), startFrom }))
      expectValid('preview', parseWire(response))
      expect(reports).toEqual([])
    }
  })

  it('links only to flows that are there', () => {
    const ids = names.flatMap((other) => [flowOf(other).id, flowOf(other).publicId, 'current'])
    const links = blocksOf(name).flatMap((block) =>
      block.type === 'Flow link' ? [block.options?.flowId] : [],
    )
    expect(links.filter((flowId) => !ids.includes(flowId))).toEqual([])
  })
})

describe('the sample flows', () => {
  it('show 28 block types between them, all of them known', () => {
    const types = new Set(names.flatMap((name) => blocksOf(name).map(({ type }) => type)))
    expect([...types].filter((type) => !blockRegistry.has(type))).toEqual([])
    expect(types.size).toBeGreaterThanOrEqual(28)
  })

  it('have ids and public ids of their own', () => {
    const flows = names.map(flowOf)
    expect(new Set(flows.map(({ id }) => id)).size).toBe(names.length)
    expect(new Set(flows.map(({ publicId }) => publicId)).size).toBe(names.length)
  })

  it('are all published from their folder', async () => {
    const { programs } = createTestChat()
    const published = await openFlows({
      folder,
      publish(text) {
        const { program } = programs.prepare(JSON.parse(text))
        return { flow: readDefinition(JSON.parse(text)), program }
      },
      inspect: async () => [],
    })
    const publicIds = (await published.list()).map(({ publicId }) => publicId)
    await published.close()
    expect(publicIds.toSorted()).toEqual(names.map((name) => name.replace('.json', '')).toSorted())
  })

  it('are formatted', () => {
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
    const check = () =>
      execFileSync(process.execPath, [biome, 'format', 'flows'], {
        cwd: root,
        stdio: 'pipe',
        encoding: 'utf8',
      })
    expect(check).not.toThrow()
  })
})

import { expect, it } from 'vitest'
import { readYamlFlow } from '../../src/publication/flow-folder/read-yaml-flow.ts'

const groups = Array.from(
  { length: 500 },
  (_, index) => `  Group ${index}:\n    - Hello, here is number ${index}\n`,
)
const text = `flow: long\ngroups:\n${groups.join('')}`

it('compiles a long flow in YAML beside what else is to be done', async () => {
  let isCompiled = false
  const compiled = readYamlFlow(text, ['/groups/499/blocks/0']).finally(() => {
    isCompiled = true
  })
  await new Promise(setImmediate)
  expect(isCompiled).toBe(false)
  const { json, problems, places } = await compiled
  expect([JSON.parse(json ?? '').groups.length, problems, places]).toEqual([500, [], ['1002:7']])
})

it('names the line of a mistake in a long one', async () => {
  const { json, problems } = await readYamlFlow(`${text}  Last:\n    - jump: Nowhere\n`)
  expect(json).toBeUndefined()
  expect(problems).toEqual([{ message: expect.stringContaining('no group is called'), place: '1004:13' }])
})

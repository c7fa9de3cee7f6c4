import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { callCommandLine } from './support/call-command-line.ts'

const root = join(import.meta.dirname, '..')

/** A box below an item of a list, of which the first line has lost what stands before all. */
const indented = (box: string) => `  ${box.replace(/^ {3}/gm, '')}\n`

it('the page of a first flow leads word by word to a flow and tests that pass', async () => {
  const page = await readFile(join(root, 'docs/first-flow.md'), 'utf8')
  const boxes = [...page.matchAll(/^ *```\w*\n(.*?)^ *```/gms)].map(([, box = '']) => box.trim())
  const boxWith = (words: string) => boxes.find((box) => box.includes(words)) ?? ''
  const folder = await mkdtemp(join(tmpdir(), 'first-flow-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(join(root, 'template/flows'), folder, { recursive: true })
  const change = async (file: string, from: string, to: string) => {
    const text = await readFile(join(folder, file), 'utf8')
    expect(text).toContain(from)
    await writeFile(join(folder, file), text.replace(from, to))
  }
  const run = async (command: string) => (await callCommandLine([command, folder])).out

  expect(await readFile(join(folder, 'table.flow.yaml'), 'utf8')).toContain(boxWith('Olive & Thyme'))

  const question = 'How many of you will come, {{Name}}?'
  await change('table.flow.yaml', question, question.replace('Name', 'Naem'))
  expect(await run('lint')).toContain(boxWith('Naem'))
  await change('table.flow.yaml', 'Naem', 'Name')

  await change('table.flow.yaml', 'variables: [ Name, People ]', boxWith('[ Name, People, Place ]'))
  const [goodbye = ''] =
    / {2}At a table:\n.*\n/.exec(await readFile(join(folder, 'table.flow.yaml'), 'utf8')) ?? []
  await change('table.flow.yaml', goodbye, indented(boxWith('Inside or outside?')))
  expect(await run('lint')).toContain('1 file: 0 errors, 0 warnings, 0 infos')
  expect(await run('test')).toContain('✗ two get a table')

  const told = `      - sees: "A table for **2**, tonight at eight. See you, Ada!"\n      - asks: nothing`
  await change('table.flowtest.yaml', told, `      ${boxWith('asks: { type')}`)
  expect(await run('test')).toContain('3 passed, 0 failed')
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n')

it('the image is made of what is there, and what is let into its build', () => {
  const copied = linesOf('Dockerfile').flatMap((line) => {
    const [, sources = ''] = /^COPY (?!--from)(.+) \S+$/.exec(line) ?? []
    return sources.split(' ').filter((source) => source !== '')
  })
  expect(copied).toContain('src')
  const letIn = linesOf('.dockerignore').map((line) => line.replace(/^!/, ''))
  expect(copied.filter((source) => !letIn.includes(source) || !existsSync(join(root, source)))).toEqual([])
})

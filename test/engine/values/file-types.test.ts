import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bareType, extensionFor, extensionsOf, typeFor } from '../../../src/engine/values/file-types.ts'

describe('a MIME type', () => {
  it.each([
    ['audio/webm;codecs=opus', 'audio/webm'],
    ['audio/webm ; codecs="a;b"', 'audio/webm'],
    [' IMAGE/Png ', 'image/png'],
    ['', ''],
    [';', ''],
  ])('is told without parameters, blanks and capitals: %j', (type, bare) => {
    expect(bareType(type)).toBe(bare)
  })

  it.each([
    ['image/jpg', 'jpeg'],
    ['audio/mp4', 'm4a'],
    ['text/plain', 'txt'],
    ['text/html', undefined],
    ['image/*', undefined],
    ['constructor', undefined],
  ])('goes with an extension: %s', (type, extension) => {
    expect(extensionFor(type)).toBe(extension)
  })
})

describe('an extension', () => {
  it.each([
    ['jpeg', 'image/jpeg'],
    ['mp3', 'audio/mpeg'],
    ['wav', 'audio/wav'],
    ['webm', 'video/webm'],
    ['gif', 'image/gif'],
    ['bin', 'application/octet-stream'],
    ['html', undefined],
    ['constructor', undefined],
  ])('is served as a type: %s', (extension, type) => {
    expect(typeFor(extension)).toBe(type)
  })

  it('stands in the documents, each behind its family', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../docs/behaviour/inputs.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+\/\*)` \| (.*) \|$/gm)]
    expect(rows.map(([, family]) => family).sort()).toEqual([
      'application/*',
      'audio/*',
      'image/*',
      'text/*',
      'video/*',
    ])
    for (const [, family = '', listed = ''] of rows)
      expect(new Set(listed.replaceAll('`', '').split(' '))).toEqual(extensionsOf([family]))
  })

  it('leads back to itself', () => {
    const extensions = [...extensionsOf(['audio/*', 'image/*', 'video/*', 'application/*', 'text/*'])]
    expect(extensions.length).toBeGreaterThan(40)
    expect(extensions.map((extension) => extensionFor(typeFor(extension) ?? ''))).toEqual(extensions)
  })
})

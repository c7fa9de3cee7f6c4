import { describe, expect, it } from 'vitest'
import { createYamlReader } from '../../../src/adapters/yaml-reader/yaml-reader.ts'

const reader = createYamlReader()

describe('the reader of YAML', () => {
  it('gives what a text says, and where it stands', async () => {
    const read = await reader.read('a: { b: [1, x] }\n"c/d":\n')
    expect(read).toEqual({
      json: '{"a":{"b":[1,"x"]},"c/d":null}',
      places: new Map([
        ['', '1:1'],
        ['/a', '1:4'],
        ['/a/b', '1:9'],
        ['/a/b/0', '1:10'],
        ['/a/b/1', '1:13'],
        ['/c~1d', '2:7'],
      ]),
    })
  })

  it.each([
    ['is broken', 'a: [', 'is not valid YAML: ', '1:5'],
    [
      'stands for far more',
      `a: &a [1,1]\nb: &b [${'*a,'.repeat(99)}*a]\nc: [${'*b,'.repeat(99)}*b]`,
      'can not be read: Excessive alias count',
      undefined,
    ],
    [
      'is long once it is read',
      `a: &a ${'x'.repeat(60_000)}\nb: [${'*a,'.repeat(50)}*a]`,
      'must stand for at most 1048576 characters',
      undefined,
    ],
    ['is deep', `${'[ '.repeat(60_000)}`, '', undefined],
  ])('says in one line why a text is refused that %s', async (_, text, refusal, place) => {
    const read = await reader.read(text)
    if (!read || !('refusal' in read)) throw new Error('it was read')
    expect(read.refusal).toContain(refusal)
    expect(read.refusal).not.toContain('\n')
    if (place !== undefined) expect(read.place).toBe(place)
  })

  it('gives up a text that takes long, and turns away what is too much at once', async () => {
    const hurried = createYamlReader({ limitMs: 1, threads: 1 })
    const slow = hurried.read(`{${Array.from({ length: 8000 }, (_, nth) => `k${nth}`).join(',')}}`)
    expect(await hurried.read('a')).toBeUndefined()
    expect(await slow).toEqual({ refusal: 'takes longer than 1 ms to read' })
    expect(await createYamlReader().read('a')).toMatchObject({ json: '"a"' })
  })
})

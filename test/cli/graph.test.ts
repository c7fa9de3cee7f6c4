import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFragment } from 'parse5'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bubble, textInput } from '../fixtures/short-flows.ts'
import { callCommandLine } from '../support/call-command-line.ts'
import { wholeDefinition } from '../support/conformance.ts'

const flows = join(import.meta.dirname, '../../flows')
const samples = readdirSync(flows).filter((name) => name.endsWith('.json'))

function folderWith(files: Readonly<Record<string, unknown>>) {
  const folder = mkdtempSync(join(tmpdir(), 'graph-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return (name: string) => join(folder, name)
}

const flow = wholeDefinition({
  name: 'A & <B>',
  groups: {
    a: [
      bubble('b1', 'Say <script>alert(1)</script>'),
      {
        id: 'c1',
        type: 'choice input',
        items: [
          { id: 'yes', content: 'Yes', outgoingEdgeId: 'e1' },
          { id: 'no', content: 'No', outgoingEdgeId: 'e2' },
        ],
      },
    ],
    b: [bubble('b2', 'Fine'), textInput('i1')],
    c: [bubble('b3', 'Pity')],
  },
  edges: { e1: 'b', e2: 'c' },
})

const analytics = {
  flowId: flow['id'],
  conversations: 1200,
  edges: [
    { edgeId: 'e1', count: 900 },
    { edgeId: 'e1', flowId: 'linked', count: 1 },
  ],
  blocks: [{ blockId: 'c1', asked: 1200, left: 300, ended: 0, waiting: 7 }],
}

describe('flow-runtime graph', () => {
  it.each(samples)('draws each group and each edge of %s, and loads nothing', async (file) => {
    const path = join(flows, file)
    const { code, out, err } = await callCommandLine(['graph', path])
    expect([code, err]).toEqual([0, ''])
    const { groups, events, edges } = JSON.parse(readFileSync(path, 'utf8'))
    expect(out.match(/class="card"/g)).toHaveLength(groups.length + (events ?? []).length)
    expect(out.match(/class="line"/g)).toHaveLength(edges.length)
    for (const { title } of groups) expect(out).toContain(`<title>${title}</title>`)
    expect(out).not.toMatch(/<script|<image|<foreignObject|href=|url\(|@import|NaN|undefined/)
    expect(out).toContain('prefers-color-scheme:dark')
  })

  it('draws words of a flow as words', async () => {
    const pathOf = folderWith({ 'a.json': flow })
    await callCommandLine(['graph', pathOf('a.json'), '--out', pathOf('a.svg')])
    const picture = readFileSync(pathOf('a.svg'), 'utf8')
    expect(picture).toContain('<title>A &amp; &lt;B&gt;</title>')
    expect(
      JSON.stringify(parseFragment(picture), (key, value) => (key === 'parentNode' ? undefined : value)),
    ).not.toContain('"tagName":"script"')
    for (const words of ['Say &lt;script&gt;', '>Yes<', '>No<', '>Pity<']) expect(picture).toContain(words)
  })

  it('holds all that it draws within its frame, where groups lead back too', async () => {
    const circle = {
      ...flow,
      groups: (flow['groups'] as unknown[]).slice(0, 1),
      edges: [{ id: 'e1', from: { blockId: 'c1' }, to: { groupId: 'a' } }],
    }
    const pathOf = folderWith({ 'a.json': circle })
    const { out } = await callCommandLine(['graph', pathOf('a.json')])
    const [left = 0, , width = 0] = (/viewBox="([^"]+)"/.exec(out)?.[1] ?? '').split(' ').map(Number)
    const bends = [...out.matchAll(/class="line" d="M\S+ \S+C(\S+) \S+ (\S+) /g)].flatMap(
      ([, one, other]) => [Number(one), Number(other)],
    )
    expect(bends).toHaveLength(2)
    for (const x of bends) expect(x > left && x < left + width).toBe(true)
  })

  it('draws the traffic that the analytics of the flow tell', async () => {
    const pathOf = folderWith({ 'a.json': flow, 'counts.json': analytics })
    const { code, out, err } = await callCommandLine([
      'graph',
      pathOf('a.json'),
      '--analytics',
      pathOf('counts.json'),
    ])
    expect([code, err]).toEqual([0, ''])
    for (const words of ['1,200 conversations', '75 %, 900', '7 here  −25 %', 'stroke-width:16.0px'])
      expect(out).toContain(words)
    // Of the start, and of the other choice.
    expect(out.match(/class="edge not-taken"/g)).toHaveLength(2)
    expect((await callCommandLine(['graph', pathOf('a.json')])).out).not.toContain('class="share"')
  })

  it('refuses what was counted of another flow, and says what is of other versions of this one', async () => {
    const edges = [...analytics.edges, { edgeId: 'e7', count: 3 }]
    const blocks = [...analytics.blocks, { blockId: 'c7', asked: 3 }, { blockId: 'c8', asked: 3 }]
    const pathOf = folderWith({
      'a.json': flow,
      'other.json': { ...analytics, flowId: 'other' },
      'whose.json': { ...analytics, flowId: undefined },
      'earlier.json': { ...analytics, edges, blocks },
    })
    const run = (counts: string) =>
      callCommandLine(['graph', pathOf('a.json'), '--analytics', pathOf(counts)])
    const other = await run('other.json')
    expect(other).toMatchObject({ code: 1, out: '' })
    expect(other.err).toContain(
      `other.json: counts the flow "other", and "${flow['id']}" is to be drawn: ask for the analytics of that one`,
    )
    expect(await run('whose.json')).toMatchObject({ code: 1, out: '' })
    const earlier = await run('earlier.json')
    expect(earlier).toMatchObject({ code: 0, out: expect.stringContaining('75 %, 900') })
    expect(earlier.err).toMatch(
      /earlier\.json: 2 blocks and 1 way of it not in .*a\.json, but of other versions: ask for .* \?version=\n$/,
    )
  })

  it('says what is wrong, and draws nothing then', async () => {
    const pathOf = folderWith({
      'a.json': flow,
      'no.json': '{',
      'bad.json': { ...flow, groups: 7 },
      'flow.json': flow,
    })
    const run = (...args: string[]) => callCommandLine(['graph', ...args])
    expect(await run(pathOf('no.json'))).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('no.json:1:2 is not valid JSON'),
    })
    expect(await run(pathOf('bad.json'))).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('bad.json:1:166 /groups '),
    })
    expect(await run(pathOf('a.json'), '--analytics', pathOf('bad.json'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('bad.json: is not what GET /v1/flows/{publicId}/analytics answers'),
    })
    for (const args of [
      [],
      [pathOf('a.json'), pathOf('flow.json')],
      [pathOf('nowhere.json')],
      ['--blue', 'x'],
    ])
      expect(await run(...args)).toMatchObject({ code: 2, out: '' })
  })
})

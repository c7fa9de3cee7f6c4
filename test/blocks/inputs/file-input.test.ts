import { describe, expect, it } from 'vitest'
import { fileInput } from '../../../src/blocks/inputs/file-input.ts'
import { prepareBlock } from '../../support/run-block.ts'

const one = 'https://f.example/a.png'
const two = 'https://f.example/b.pdf'
const owner = '0123456789abcdef0123456789abcdef'

function prepare(options?: object, variables = {}, publicUrl?: string) {
  const block = { id: 'i1', type: 'file input', ...(options && { options }) }
  return prepareBlock(fileInput, block, { variables, ...(publicUrl !== undefined && { publicUrl }) })
}

function judge(text: string, options?: object, variables = {}) {
  const verdict = prepare(options, variables).reply({ type: 'text', text })
  return verdict.outcome === 'accepted' ? verdict.content : verdict.outcome
}

const only = (...types: string[]) => ({ allowedFileTypes: { isEnabled: true, types } })

describe('a reply to a file input', () => {
  it.each([
    ['one address', one, {}, one],
    ['several', `${one}, ${two}`, { isMultipleAllowed: true }, `${one}, ${two}`],
    ['the first of several where one is asked for', `${one}, ${two}`, {}, one],
    ['an address of this machine', 'http://localhost:3000/a.png', {}, 'http://localhost:3000/a.png'],
    ['a name with a comma', 'https://f.example/a%2C%20b,c.png', {}, 'https://f.example/a%2C%20b,c.png'],
  ])('is accepted: %s', (_, text, options, content) => {
    expect(judge(text, options)).toBe(content)
  })

  it.each([
    ['empty', ''],
    ['no address', 'rubbish'],
    ['an address without a scheme', 'f.example/a.png'],
    ['an address of another scheme', 'ftp://f.example/a.png'],
    ['a script', 'javascript:alert(1)'],
    ['a host without a domain', 'http://intranet/a.png'],
    ['an address beside rubbish', `${one}, rubbish`],
    ['an address and a loose end', `${one}, `],
  ])('is refused when it is %s', (_, text) => {
    expect(judge(text, { isMultipleAllowed: true, isRequired: false })).toBe('refused')
  })

  it.each([
    ['http://127.0.0.1:3000/uploads/a.png', undefined, 'accepted'],
    ['http://[::1]:3000/uploads/a.png', undefined, 'accepted'],
    ['http://localhost:3000/uploads/a.png', undefined, 'accepted'],
    ['http://flows:3000/uploads/a.png', undefined, 'refused'],
    [`http://flows:3000/uploads/${owner}/a-_9.png`, undefined, 'accepted'],
    [`http://flows:3000/uploads/private/${owner}/a.png`, undefined, 'accepted'],
    [`http://flows:3000/api/uploads/preview-${owner}/a.png`, undefined, 'accepted'],
    [`http://my_flows/uploads/${owner}/a.png`, 'https://other.example', 'accepted'],
    [`ftp://flows:3000/uploads/${owner}/a.png`, undefined, 'refused'],
    [`javascript://flows/uploads/${owner}/a.png`, undefined, 'refused'],
    [`http:///uploads/${owner}/a.png`, undefined, 'refused'],
    [`http://me@flows/uploads/${owner}/a.png`, undefined, 'refused'],
    [`http://flows:99999/uploads/${owner}/a.png`, undefined, 'refused'],
    [`http://flows/a b/uploads/${owner}/a.png`, undefined, 'refused'],
    [`/uploads/${owner}/a.png`, undefined, 'refused'],
    [`http://flows:3000/uploads/${owner}/a.png?x`, undefined, 'refused'],
    [`http://flows:3000/uploads/${owner.slice(1)}/a.png`, undefined, 'refused'],
    [`http://flows:3000/uploads/${owner}/private/a.png`, undefined, 'refused'],
    ['http://flows:3000/uploads/a.png', 'http://flows:3000', 'accepted'],
    ['http://my_flows/api/uploads/a.png', 'http://my_flows/api', 'accepted'],
    ['http://my_flows/uploads/a.png', 'http://my_flows/api', 'refused'],
    ['http://flows/a.png', 'http://flows:3000', 'refused'],
    ['http://flows:30001/a.png', 'http://flows:3000', 'refused'],
    ['http://flows:3000.evil/a.png', 'http://flows:3000', 'refused'],
    ['http://flows:3000/a b.png', 'http://flows:3000', 'refused'],
    ['http://flows:3000/<a>.png', 'http://flows:3000', 'refused'],
    ['https://f.example/a.png', 'http://flows:3000', 'accepted'],
  ])('that is %s is, to a service reached at %s, %s', (text, publicUrl, outcome) => {
    expect(prepare({}, {}, publicUrl).reply({ type: 'text', text })).toMatchObject({ outcome })
  })

  it('is accepted when it is a recording', () => {
    const url = 'https://f.example/a.webm'
    expect(prepare().reply({ type: 'audio', url })).toEqual({ outcome: 'accepted', content: url })
    expect(prepare().reply({ type: 'audio', url: 'rubbish' })).toMatchObject({ outcome: 'refused' })
  })

  it.each([
    ['skipped when it is optional', { isRequired: false }, 'skipped'],
    ['refused when it is required', { isRequired: true }, 'refused'],
    ['refused when nothing is said', {}, 'refused'],
    ['refused when there are no options', undefined, 'refused'],
  ])('may be missing: %s', (_, options, outcome) => {
    expect(prepare(options).reply()).toMatchObject({ outcome })
  })

  it('may be many addresses', () => {
    expect(
      judge(Array.from({ length: 800 }, () => 'https://f.example/a').join(', '), only('image/*')),
    ).toEqual('refused')
    expect(judge(', '.repeat(8_000))).toEqual('refused')
  })
})

describe('the types of files that a block takes', () => {
  it.each([
    ['an extension', only('.pdf'), 'cv.pdf', true],
    ['another extension', only('.pdf'), 'cv.docx', false],
    ['an extension without its dot, in capitals', only(' PDF '), 'cv.PdF', true],
    ['a MIME type', only('image/png'), 'a.png', true],
    [
      'a long MIME type',
      only('application/vnd.openxmlformats-officedocument.wordprocessingml.document'),
      'a.docx',
      true,
    ],
    ['a family', only('image/*'), 'a.webp', true],
    ['another family', only('video/*'), 'a.webp', false],
    ['one of several', only('.pdf', 'image/*'), 'a.gif', true],
    ['a synonym', only('.jpg'), 'a.jpeg', true],
    ['a synonym of a MIME type', only('image/jpeg'), 'a.jpe', true],
    ['either spelling of an extension', only('.tiff'), 'a.tiff', true],
    ['either spelling of an extension, short', only('.tiff'), 'a.tif', true],
    ['a file behind a query', only('.png'), 'a.png?v=1', true],
    ['a file before a fragment', only('.png'), 'a.png#page.pdf', true],
    ['a file that only its query names', only('.png'), 'a.exe?as=.png', false],
    ['a file without an extension', only('.png'), 'png', false],
    ['types that are off', { allowedFileTypes: { isEnabled: false, types: ['.pdf'] } }, 'a.png', true],
    ['no types', only(), 'a.png', true],
    ['no list', { allowedFileTypes: { isEnabled: true } }, 'a.png', true],
    ['a placeholder', only('{{T}}'), 'a.gif', true],
    ['a placeholder for another', only('{{T}}'), 'a.pdf', false],
  ])('judge %s', (_, options, name, isAccepted) => {
    expect(judge(`https://f.example/${name}`, options, { T: 'image/gif' }) !== 'refused').toBe(isAccepted)
  })

  it('judge every file', () => {
    expect(judge(`${one}, ${two}`, { isMultipleAllowed: true, ...only('.png') })).toBe('refused')
  })

  it.each(['.dwg', '*', '*/*', 'text/html', 'constructor'])(
    'refuse everything when none is known, and the author is told: %s',
    (type) => {
      const prepared = prepare(only(type))
      expect(prepared.findings).toMatchObject([
        { code: 'invalid-option', at: '/options/allowedFileTypes/types' },
      ])
      expect(prepared.reply({ type: 'text', text: 'https://f.example/a.dwg' })).toMatchObject({
        outcome: 'refused',
      })
    },
  )

  it('are shown with their values', () => {
    expect(prepare(only('{{T}}', '.pdf'), { T: 'image/gif' }).run().input?.value).toEqual({
      id: 'i1',
      type: 'file input',
      options: only('image/gif', '.pdf'),
    })
  })
})

it('does not show the size limit of old flows', () => {
  expect(prepare({ isRequired: false, sizeLimit: 10 }).run().input?.value).toHaveProperty('options', {
    isRequired: false,
  })
})

describe('the files that may be uploaded for a file input', () => {
  it.each([
    ['any', {}, undefined],
    ['any when types are off', { allowedFileTypes: { isEnabled: false, types: ['.pdf'] } }, undefined],
    ['those of its types', only('.pdf', 'image/png'), ['pdf', 'png']],
    ['those of its variables', only('{{T}}'), ['gif']],
    ['none, when no type is known', only('.dwg'), []],
  ])('are %s', (_, options, extensions) => {
    const rules = prepare(options, { T: 'image/gif' }).uploads()
    expect(rules?.extensions && [...rules.extensions]).toEqual(extensions)
  })

  it.each([
    [undefined, 'Auto'],
    [{}, 'Auto'],
    [{ visibility: 'Public' }, 'Public'],
    [{ visibility: 'Private' }, 'Private'],
  ])('are as visible as %j says', (options, visibility) => {
    expect(prepare(options).uploads()).toEqual({ extensions: undefined, visibility })
  })
})

it('is called file by reply events', () => {
  expect(fileInput.inputName).toBe('file')
})

import { describe, expect, it } from 'vitest'
import {
  audioBubble,
  embedBubble,
  imageBubble,
  videoBubble,
} from '../../../src/blocks/bubbles/media-bubbles.ts'
import type { BlockHandler } from '../../../src/engine/model/block-handler.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { prepareBlock, runBlock } from '../../support/run-block.ts'

const bubbles: [string, BlockHandler][] = [
  ['image', imageBubble],
  ['video', videoBubble],
  ['embed', embedBubble],
  ['audio', audioBubble],
]

function show(handler: BlockHandler, content: object, variables: Record<string, Value> = {}): unknown {
  const [type] = handler.types
  return runBlock(handler, { id: 'b1', type, content } as never, { variables }).message?.value.content
}

describe.each(bubbles)('an %s bubble', (type, handler) => {
  const block = { id: 'b1', type, outgoingEdgeId: 'e1' }

  it('shows nothing before it is filled in', () => {
    expect(runBlock(handler, block)).toEqual({})
  })

  it('sends an empty content as a message without its edge', () => {
    const { message } = runBlock(handler, { ...block, content: {} } as never)
    expect(message?.value).toEqual({ id: 'b1', type, content: {} })
  })

  it('drops keys that a message does not have', () => {
    expect(show(handler, { url: 'u', secret: 'x' })).toHaveProperty('url')
    expect(show(handler, { url: 'u', secret: 'x' })).not.toHaveProperty('secret')
  })

  it('sends an empty address for an unset variable', () => {
    expect(show(handler, { url: '{{V}}' }, { V: null })).toEqual({ url: '' })
  })

  it('shares one message as long as nothing in it changes', () => {
    const prepared = prepareBlock(handler, { ...block, content: { url: 'u' } } as never)
    const { message } = prepared.run()
    expect(message).toBeDefined()
    expect(prepared.run().message).toBe(message)
    expect(Object.isFrozen(message?.value.content)).toBe(true)
  })

  it('follows the values of its variables', () => {
    const given = { variables: { V: 'x' } }
    const prepared = prepareBlock(handler, { ...block, content: { url: 'a/{{V}}' } } as never, given)
    expect(prepared.run().message?.value.content).toHaveProperty('url', 'a/x')
    prepared.variables.set('vV', 'y')
    expect(prepared.run().message?.value.content).toHaveProperty('url', 'a/y')
  })
})

describe('an image', () => {
  it('replaces variables in its address and its link', () => {
    const content = {
      url: 'https://cdn.example/{{Sku}}.png',
      clickLink: { url: 'https://shop.example/p/{{Sku}}', alt: 'Item {{Sku}}', rel: 'x' },
    }
    expect(show(imageBubble, content, { Sku: 'k7' })).toEqual({
      url: 'https://cdn.example/k7.png',
      clickLink: { url: 'https://shop.example/p/k7', alt: 'Item k7' },
    })
  })

  it('keeps an empty link, which still makes it clickable', () => {
    expect(show(imageBubble, { clickLink: {} })).toEqual({ clickLink: {} })
  })
})

describe('a sound', () => {
  it('replaces variables in its address', () => {
    const content = { url: 'https://cdn.example/{{Lang}}/hi.mp3', isAutoplayEnabled: false }
    const expected = { url: 'https://cdn.example/fr/hi.mp3', isAutoplayEnabled: false }
    expect(show(audioBubble, content, { Lang: 'fr' })).toEqual(expected)
  })
})

describe.each([
  ['video', videoBubble],
  ['embed', embedBubble],
] as const)('the height of a %s', (_, handler) => {
  it.each<[number | string, Value, number | undefined]>([
    [320, null, 320],
    ['520', null, 520],
    ['tall', null, undefined],
    ['{{H}}', '300', 300],
    ['{{H}}', 'abc', undefined],
  ])('given as %j with %j is %j', (height, H, expected) => {
    expect(show(handler, { height }, { H })).toEqual(expected === undefined ? {} : { height: expected })
  })

  it('follows its variable', () => {
    const block = { id: 'b1', type: handler.types[0], content: { height: '{{H}}' } }
    const prepared = prepareBlock(handler, block as never, { variables: { H: '1' } })
    expect(prepared.run().message?.value.content).toEqual({ height: 1 })
    prepared.variables.set('vH', '2')
    expect(prepared.run().message?.value.content).toEqual({ height: 2 })
  })
})

describe('a video', () => {
  it.each<[string, object]>([
    [
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=43s',
      { type: 'youtube', id: 'dQw4w9WgXcQ', url: 'youtube.com/watch?v=dQw4w9WgXcQ' },
    ],
    ['https://www.youtube.com/watch?t=43&v=dQw4w9WgXcQ', { type: 'url' }],
    ['https://www.youtube.com/shorts/a-_9', { type: 'youtube', id: 'a-_9', url: 'youtube.com/shorts/a-_9' }],
    ['https://youtu.be/dQw4w9WgXcQ', { type: 'youtube', id: 'dQw4w9WgXcQ', url: 'youtu.be/dQw4w9WgXcQ' }],
    [
      'https://youtu.be/dQw4w9WgXcQ?t=43',
      { type: 'youtube', id: 'dQw4w9WgXcQ', url: 'youtu.be/dQw4w9WgXcQ?t=43', queryParamsStr: '?start=43' },
    ],
    [
      'https://youtu.be/x?t=43&si=a b',
      { type: 'youtube', id: 'x', url: 'youtu.be/x?t=43&si=a', queryParamsStr: '?si=a&start=43' },
    ],
    [
      'https://youtu.be/x?si=é#t',
      { type: 'youtube', id: 'x', url: 'youtu.be/x?si=é', queryParamsStr: '?si=%C3%A9' },
    ],
    ['https://www.youtube.com/embed/dQw4w9WgXcQ', { type: 'url' }],
    ['https://vimeo.com/649301125?h=abc', { type: 'vimeo', id: '649301125', url: 'vimeo.com/649301125' }],
    ['https://player.vimeo.com/video/649301125', { type: 'url' }],
    [
      'https://www.tiktok.com/@some.one/video/712?lang=en',
      { type: 'tiktok', id: '712', url: 'tiktok.com/@some.one/video/712' },
    ],
    ['https://vm.tiktok.com/ZMx/', { type: 'url' }],
    ['https://www.gumlet.com/watch/6a_b', { type: 'gumlet', id: '6a_b', url: 'gumlet.com/watch/6a_b' }],
    ['https://gumlet.tv/watch/6ab/x', { type: 'gumlet', id: '6ab', url: 'gumlet.tv/watch/6ab' }],
    [
      'https://onedrive.live.com/embed?a=/embed',
      { type: 'url', url: 'https://onedrive.live.com/download?a=/embed' },
    ],
    ['https://cdn.example/a.mp4', { type: 'url' }],
    ['no address', { type: 'url' }],
  ])('at %s is recognised', (url, expected) => {
    expect(show(videoBubble, { url })).toEqual({ url, ...expected })
  })

  it.each<[string, object, object]>([
    ['keeps what is stored without an address', { type: 'vimeo', id: '9' }, { type: 'vimeo', id: '9' }],
    [
      'keeps what is stored when the address is unset',
      { url: '{{V}}', type: 'youtube' },
      { url: '', type: 'youtube' },
    ],
    [
      'forgets stored parameters of a YouTube address',
      { url: 'https://youtube.com/watch?v=x', queryParamsStr: '?a=1' },
      { url: 'youtube.com/watch?v=x', type: 'youtube', id: 'x' },
    ],
    [
      'keeps stored parameters elsewhere',
      { url: 'https://vimeo.com/1', queryParamsStr: '?a=1', id: '2' },
      { url: 'vimeo.com/1', type: 'vimeo', id: '1', queryParamsStr: '?a=1' },
    ],
    [
      'keeps a stored id of a file',
      { url: 'a.mp4', type: 'vimeo', id: '2' },
      { url: 'a.mp4', type: 'url', id: '2' },
    ],
    [
      'passes on how it is shown',
      { aspectRatio: '{{V}}16/9', maxWidth: '560px', areControlsDisplayed: false, isAutoplayEnabled: true },
      { aspectRatio: '16/9', maxWidth: '560px', areControlsDisplayed: false, isAutoplayEnabled: true },
    ],
  ])('%s', (_, content, expected) => {
    expect(show(videoBubble, content, { V: null })).toEqual(expected)
  })

  it('is recognised by the address that its variables make', () => {
    const content = { url: '{{Clip}}', aspectRatio: '16/9', maxWidth: '560px', height: '{{H}}' }
    expect(show(videoBubble, content, { Clip: 'https://youtu.be/Ab_9-z?t=12', H: 'abc' })).toEqual({
      url: 'youtu.be/Ab_9-z?t=12',
      aspectRatio: '16/9',
      maxWidth: '560px',
      type: 'youtube',
      id: 'Ab_9-z',
      queryParamsStr: '?start=12',
    })
  })

  it.each([
    'tiktok.com/@',
    'tiktok.com/@x/video/',
    'youtu.be/x?',
    'vimeo.com/',
    'youtube.com/watch?v=',
    'https://onedrive.live.com/embed',
  ])('with a hostile address comes to an end: %s', (piece) => {
    const shown = show(videoBubble, { url: '{{V}}' }, { V: piece.repeat(Math.ceil(200_000 / piece.length)) })
    expect(shown).toBeDefined()
  })
})

describe('an embed', () => {
  const waitForEvent = { isEnabled: true, name: 'signed {{V}}', saveDataInVariableId: 'vSig' }
  const embed = (content: object) =>
    prepareBlock(embedBubble, { id: 'b1', type: 'embed', content } as never, {
      variables: { V: 'x', Sig: null },
    })

  it('waits for its event, and names it to the client', () => {
    const step = embed({ url: 'https://sign.example/{{V}}', height: '520', waitForEvent }).run()
    expect(step.next).toEqual({ to: 'wait' })
    expect(step.message?.value.content).toEqual({
      url: 'https://sign.example/x',
      height: 520,
      waitForEvent: { isEnabled: true, name: 'signed x', saveDataInVariableId: 'vSig' },
    })
  })

  it.each([{}, { isEnabled: false, name: 'x' }])('does not wait for %j', (event) => {
    const step = embed({ waitForEvent: event }).run()
    expect(step.message?.value.content).toEqual({ waitForEvent: event })
    expect(step).not.toHaveProperty('next')
  })

  it.each<[string, unknown]>([
    ['["p1","p2"]', ['p1', 'p2']],
    ['{ "a": 1 }', { a: 1 }],
    ['5', 5],
    ['007', '007'],
    ['hello', 'hello'],
    ['', ''],
    ['null', null],
  ])('stores the data %j', (text, value) => {
    expect(embed({ waitForEvent }).receive(text)).toEqual({
      assignments: [{ variableId: 'vSig', value }],
    })
  })

  it('stores nothing without a variable', () => {
    expect(embed({ waitForEvent: { isEnabled: true } }).receive('x')).toEqual({})
    expect(embed(undefined as never).receive('x')).toEqual({})
  })
})

import { describe, expect, it } from 'vitest'
import { Theme } from '../../schemas/theme.ts'
import { problemsIn } from './problems-in.ts'

const element = {
  backgroundColor: 'transparent',
  color: '#202020',
  blur: 4,
  opacity: 0.5,
  shadow: 'lg',
  border: { thickness: 1, color: '#dfdfdf', roundeness: 'custom', customRoundeness: 12, opacity: 1 },
} as const

const complete: Theme = {
  general: {
    font: { type: 'Google', family: 'Inter' },
    background: { type: 'Image', content: 'https://cdn.example/bg.png' },
    progressBar: {
      isEnabled: true,
      color: '#e0edff',
      backgroundColor: '#f1f1f1',
      placement: 'Bottom',
      thickness: 4,
      position: 'absolute',
    },
  },
  chat: {
    container: { ...element, maxWidth: '800px', maxHeight: '100%' },
    hostAvatar: { isEnabled: true, url: '🦊' },
    guestAvatar: { isEnabled: false, url: 'https://cdn.example/a.png' },
    hostBubbles: element,
    guestBubbles: element,
    buttons: element,
    inputs: { ...element, placeholderColor: '#9095A0' },
    roundness: 'large',
    buttonsInput: { layout: 'vertical' },
  },
  customCss: '.a { color: red }',
}

const inBorder = (border: object) => ({ chat: { buttons: { border } } })
const shadows = ['none', 'sm', 'md', 'lg', 'xl', '2xl']

describe('theme', () => {
  it.each<[string, object]>([
    ['nothing at all', {}],
    ['every field', complete],
    ['empty parts', { general: {}, chat: { container: {}, hostAvatar: {}, buttonsInput: {} } }],
    ['a font by its name', { general: { font: 'Open Sans' } }],
    [
      'a custom font',
      {
        general: { font: { type: 'Custom', family: 'Mine', css: '@font-face{}', url: 'https://f.example' } },
      },
    ],
    ['unknown keys at every level', { future: 1, chat: { future: {}, inputs: { border: { future: [] } } } }],
    ['the bounds of opacity', { chat: { inputs: { opacity: 0, border: { opacity: 1 } } } }],
    ...shadows.map(
      (shadow) => [`the shadow ${shadow}`, { chat: { hostBubbles: { shadow } } }] as [string, object],
    ),
  ])('may hold %s', (_, theme) => {
    expect(problemsIn(Theme, theme)).toEqual([])
  })

  it.each([
    [{ general: { font: 7 } }, '/general/font', 'must be string,object'],
    [{ general: { font: { type: 'Local' } } }, '/general/font/type', 'must be one of: Google, Custom'],
    [{ general: { font: { family: 'Inter' } } }, '/general/font', "must have required property 'type'"],
    [
      { general: { background: { type: 'color' } } },
      '/general/background/type',
      'must be one of: Color, Image, None',
    ],
    [
      { general: { progressBar: { placement: 'Left' } } },
      '/general/progressBar/placement',
      'must be one of: Top, Bottom',
    ],
    [
      { general: { progressBar: { position: 'top' } } },
      '/general/progressBar/position',
      'must be one of: fixed, absolute',
    ],
    [{ general: { progressBar: { thickness: '4' } } }, '/general/progressBar/thickness', 'must be number'],
    [{ chat: { inputs: { opacity: 1.01 } } }, '/chat/inputs/opacity', 'must be <= 1'],
    [{ chat: { guestBubbles: { opacity: -1 } } }, '/chat/guestBubbles/opacity', 'must be >= 0'],
    [inBorder({ opacity: 2 }), '/chat/buttons/border/opacity', 'must be <= 1'],
    [
      inBorder({ roundeness: 'round' }),
      '/chat/buttons/border/roundeness',
      'must be one of: none, medium, large, custom',
    ],
    [
      { chat: { container: { shadow: 'xs' } } },
      '/chat/container/shadow',
      `must be one of: ${shadows.join(', ')}`,
    ],
    [{ chat: { container: { maxWidth: 800 } } }, '/chat/container/maxWidth', 'must be string'],
    [{ chat: { roundness: 'custom' } }, '/chat/roundness', 'must be one of: none, medium, large'],
    [
      { chat: { buttonsInput: { layout: 'grid' } } },
      '/chat/buttonsInput/layout',
      'must be one of: wrap, vertical',
    ],
    [{ chat: { hostAvatar: { isEnabled: 1 } } }, '/chat/hostAvatar/isEnabled', 'must be boolean'],
    [{ customCss: {} }, '/customCss', 'must be string'],
  ])('%j is refused with one problem', (theme, pointer, message) => {
    expect(problemsIn(Theme, theme)).toEqual([{ pointer, message }])
  })
})

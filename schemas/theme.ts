import type { Static } from '@sinclair/typebox'
import { PartialObject, StringEnum } from './common.ts'
import { Type } from './type.ts'

const color = (description: string) =>
  Type.String({ description: `A CSS colour. ${description}`, examples: ['#0042DA', 'transparent'] })

/** One `type` list instead of a union, so that a wrong font is reported once. */
const Font = Type.Unsafe<
  | string
  | { type: 'Google'; family?: string }
  | { type: 'Custom'; family?: string; css?: string; url?: string }
>({
  type: ['string', 'object'],
  description: 'A family name, or an object telling where the font comes from. Default Open Sans from Google',
  required: ['type'],
  properties: {
    type: StringEnum(['Google', 'Custom']),
    family: Type.String(),
    css: Type.String({ description: 'Custom fonts: the rules that load it' }),
    url: Type.String({ description: 'Custom fonts: the older way to say where it is' }),
  },
  examples: ['Open Sans', { type: 'Google', family: 'Inter' }],
})

const GeneralTheme = PartialObject({
  font: Font,
  background: PartialObject({
    type: StringEnum(['Color', 'Image', 'None'], { description: 'Default Color' }),
    content: Type.String({
      description: 'A colour or the address of an image. Default #FFFFFF, in version 6.1 #F8F8F8',
    }),
  }),
  progressBar: PartialObject({
    isEnabled: Type.Boolean({ description: 'Whether responses carry the progress. Default false' }),
    color: color('Default #e0edff, in version 6.1 #ff5924'),
    backgroundColor: color('Default #f1f1f1, in version 6.1 #8d8d8d'),
    placement: StringEnum(['Top', 'Bottom'], { description: 'Default Top' }),
    thickness: Type.Number({ description: 'Pixels. Default 4' }),
    position: StringEnum(['fixed', 'absolute'], {
      description: 'On the window (fixed) or inside the chat (absolute). Default absolute',
    }),
  }),
})

const Border = PartialObject({
  thickness: Type.Number({
    description: 'Pixels. Default 0; in version 6.1 it is 1 on bubbles, buttons and inputs',
  }),
  color: color('In version 6.1 the default differs by element'),
  roundeness: StringEnum(['none', 'medium', 'large', 'custom'], {
    description: '0, 6 or 20 pixels, or those of customRoundeness. Default medium',
  }),
  customRoundeness: Type.Number({ description: 'Pixels. Default 6' }),
  opacity: Type.Number({ minimum: 0, maximum: 1, description: 'Default 1' }),
})

interface ElementDefaults {
  readonly backgroundColor: string
  readonly color: string
  readonly shadow?: string
}

/** The look of one kind of element; kinds differ in their defaults. */
function elementTheme(defaults: ElementDefaults) {
  return {
    backgroundColor: color(`Default ${defaults.backgroundColor}`),
    color: color(`Default ${defaults.color}`),
    blur: Type.Number({ description: 'Pixels. Default 0' }),
    opacity: Type.Number({ minimum: 0, maximum: 1, description: 'Default 1' }),
    shadow: StringEnum(['none', 'sm', 'md', 'lg', 'xl', '2xl'], {
      description: `Default ${defaults.shadow ?? 'none'}`,
    }),
    border: Border,
  }
}

const avatar = (isEnabled: boolean) =>
  PartialObject({
    isEnabled: Type.Boolean({ description: `Default ${isEnabled}` }),
    url: Type.String({ description: 'The address of a picture, or an emoji' }),
  })

const ChatTheme = PartialObject({
  container: PartialObject({
    ...elementTheme({
      backgroundColor: 'transparent',
      color: '#202020 or #eeeeee, by the lightness behind it',
    }),
    maxWidth: Type.String({ description: 'A CSS length. Default 800px' }),
    maxHeight: Type.String({ description: 'A CSS length. Default 100%' }),
  }),
  hostAvatar: avatar(true),
  guestAvatar: avatar(false),
  hostBubbles: PartialObject(
    elementTheme({ backgroundColor: '#F7F8FF, in version 6.1 #ffffff', color: '#202020' }),
  ),
  guestBubbles: PartialObject(
    elementTheme({ backgroundColor: '#FF8E21, in version 6.1 #ff5924', color: '#ffffff' }),
  ),
  buttons: PartialObject(
    elementTheme({ backgroundColor: '#0042DA, in version 6.1 #ff5924', color: '#ffffff' }),
  ),
  inputs: PartialObject({
    ...elementTheme({ backgroundColor: '#FFFFFF', color: '#202020', shadow: 'none, before version 6.1 md' }),
    placeholderColor: color('Default #9095A0'),
  }),
  roundness: StringEnum(['none', 'medium', 'large'], {
    description: 'The older way to round corners, for elements without a border',
  }),
  buttonsInput: PartialObject({
    layout: StringEnum(['wrap', 'vertical'], { description: 'Default wrap' }),
  }),
})

/**
 * Appearance of a flow (docs/api.md 2.7). Every field is optional; unknown ones pass and are returned. Defaults are the
 * client's, and those of versions below 6 are those of version 6.
 */
export const Theme = PartialObject(
  {
    general: GeneralTheme,
    chat: ChatTheme,
    customCss: Type.String({ description: 'Style rules that the client adds' }),
  },
  {
    $id: 'Theme',
    description:
      'How a flow looks. Every field is optional and no default is filled in: defaults are the client’s.',
  },
)
export type Theme = Static<typeof Theme>

import type { Static, TProperties, TSchema } from '@sinclair/typebox'
import {
  blockBase,
  ClosedObject,
  closed,
  Id,
  NumberOrVariable,
  PartialObject,
  StringEnum,
} from '../common.ts'
import { taggedUnion } from '../tagged-union.ts'
import { Type } from '../type.ts'

const bubbleOf = <const Name extends string, Content extends TProperties>(type: Name, content: Content) =>
  Type.Object({ ...blockBase, type: Type.Literal(type), content: Type.Optional(PartialObject(content)) })

/** Written into messages of flows that say that a machine answers. */
const marks = {
  generatedBy: Type.Optional(
    Type.Literal('model', {
      description:
        'Present where a model has written or said it, in flows with `settings.general.aiDisclosure`',
    }),
  ),
}

/** A bubble as a client shows it. */
const messageOf = <const Name extends string, Content extends TProperties>(type: Name, content: Content) =>
  closed(Type.Object({ id: Id, type: Type.Literal(type), content: PartialObject(content), ...marks }))

interface TextContent {
  readonly richText?: readonly unknown[]
  readonly markdown?: string
}

/** A text to show: as rich text, whose nodes are looked at only as far as they are understood, as markdown or plainly. */
export const TextBubbleBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('text'),
  content: Type.Optional(
    Type.Unsafe<string | TextContent>({
      type: ['string', 'object'],
      properties: {
        richText: Type.Array(Type.Unknown(), {
          description:
            'Leaves `{ text, bold?, italic?, underline? }` and elements `{ type, children, url? }`',
          examples: [[{ type: 'p', children: [{ text: 'Hello {{Name}}' }] }]],
        }),
        markdown: Type.String({
          description: 'The text as CommonMark, in place of `richText`',
          examples: ['Hello **{{Name}}**'],
        }),
        html: Type.Unknown({ description: 'Left over from old flows: ignored' }),
        plainText: Type.Unknown({ description: 'Left over from old flows: ignored' }),
      },
      description: 'A plain text, `{ markdown }`, or `{ richText }` as editors write it',
      examples: ['Hello {{Name}}'],
    }),
  ),
})
export type TextBubbleBlock = Static<typeof TextBubbleBlock>

/** A text bubble as a client shows it, in the format that the request asked for. */
export const TextMessage = ClosedObject({
  id: Id,
  type: Type.Literal('text'),
  content: taggedUnion(
    [
      ClosedObject({
        type: Type.Literal('richText'),
        richText: Type.Array(Type.Unknown(), { description: 'Leaves and elements, variables replaced' }),
      }),
      ClosedObject({
        type: Type.Literal('markdown'),
        markdown: Type.String({
          description: 'CommonMark that is not escaped: render it with HTML disabled',
        }),
      }),
    ],
    { $id: 'TextContent' },
  ),
  sender: Type.Optional(
    ClosedObject(
      { name: Type.Optional(Type.String({ examples: ['Ada'] })) },
      { description: 'Who wrote it; present where a person did, and no flow' },
    ),
  ),
  ...marks,
})
export type TextMessage = Static<typeof TextMessage>

const imageContent = {
  url: Type.String({
    description: 'Address or `data:` URI of the picture',
    examples: ['https://cdn.example/{{Sku}}.png'],
  }),
  clickLink: PartialObject({
    url: Type.String({ description: 'Where a click leads' }),
    alt: Type.String({ description: 'Alternative text of the picture; clients have one of their own' }),
  }),
}

/** A picture, with or without a link. */
export const ImageBubbleBlock = bubbleOf('image', imageContent)

/** A picture as a client shows it; `clickLink` makes it a link. */
export const ImageMessage = messageOf('image', imageContent)

const videoContent = <Height extends TSchema>(height: Height) => ({
  url: Type.String({
    description:
      'For a provider that is recognised, only the recognised part: players are built from `type` and `id`',
    examples: ['https://youtu.be/dQw4w9WgXcQ?t=43'],
  }),
  type: StringEnum(['url', 'youtube', 'vimeo', 'tiktok', 'gumlet'], {
    description: 'Told from the address when it is not empty',
  }),
  id: Type.String({ description: "The provider's own id of the video" }),
  aspectRatio: Type.String({ examples: ['16/9'] }),
  maxWidth: Type.String({ description: 'CSS length; clients take 100% when absent', examples: ['560px'] }),
  queryParamsStr: Type.String({
    description: 'Appended to the address of the player',
    examples: ['?start=43'],
  }),
  areControlsDisplayed: Type.Boolean({ description: 'For `type` `url` only; clients take true when absent' }),
  isAutoplayEnabled: Type.Boolean({ description: 'Clients take true when absent' }),
  height: { ...height, description: 'Pixels, used without an `aspectRatio`; clients take 400 when absent' },
})

/** A video: a file, or a page of a provider. */
export const VideoBubbleBlock = bubbleOf('video', videoContent(NumberOrVariable))
export type VideoBubbleBlock = Static<typeof VideoBubbleBlock>

/** A video as a client shows it, with its provider. */
export const VideoMessage = messageOf('video', videoContent(Type.Number()))
export type VideoMessage = Static<typeof VideoMessage>

const embedContent = <Height extends TSchema>(height: Height) => ({
  url: Type.String({ examples: ['https://sign.example/{{Doc}}'] }),
  height: { ...height, description: 'Pixels; clients take 400 when absent' },
  waitForEvent: PartialObject({
    isEnabled: Type.Boolean({ description: 'Whether the flow waits here until the page sends its event' }),
    name: Type.String({ description: 'Name of the event', examples: ['signed'] }),
    saveDataInVariableId: Type.String({ description: 'Receives the data of the event' }),
  }),
})

/** A page in a frame, which the flow may wait for. */
export const EmbedBubbleBlock = bubbleOf('embed', embedContent(NumberOrVariable))
export type EmbedBubbleBlock = Static<typeof EmbedBubbleBlock>

/** A page as a client frames it; with `waitForEvent.isEnabled` the session goes on when its event arrives. */
export const EmbedMessage = messageOf('embed', embedContent(Type.Number()))
export type EmbedMessage = Static<typeof EmbedMessage>

const audioContent = {
  url: Type.String({ examples: ['https://cdn.example/{{Lang}}/hi.mp3'] }),
  isAutoplayEnabled: Type.Boolean({ description: 'Clients take true when absent' }),
}

/** A sound. */
export const AudioBubbleBlock = bubbleOf('audio', audioContent)

/** A sound as a client plays it. */
export const AudioMessage = messageOf('audio', audioContent)

/** All of them. */
export const bubbleBlocks = [
  TextBubbleBlock,
  ImageBubbleBlock,
  VideoBubbleBlock,
  EmbedBubbleBlock,
  AudioBubbleBlock,
] as const

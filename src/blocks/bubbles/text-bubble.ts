import { TextBubbleBlock, type TextMessage } from '../../../schemas/blocks/bubbles.ts'
import { type CompileContext, defineBlock } from '../../engine/model/block-handler.ts'
import { parseTemplate } from '../../engine/templates/parse-template.ts'
import { type ShowBubble, showMessage, showNothing } from './message-step.ts'
import { compileRichText } from './rich-text/compile.ts'
import { readMarkdownTemplate } from './rich-text/markdown-template.ts'
import { countNodes, type Node, paragraph } from './rich-text/nodes.ts'
import { expandRichText } from './rich-text/rich-values.ts'
import { toMarkdown } from './rich-text/to-markdown.ts'

/** Shows a text in the format that the request asks for (docs/behaviour/bubbles.md, "Text bubble"). */
export const textBubble = defineBlock<TextBubbleBlock, ShowBubble>({
  schema: TextBubbleBlock,
  kind: 'bubble',
  compile: ({ id, content }, context) =>
    content === undefined ? showNothing : compileContent(id, readContent(content), context),
  run: (show, context) => show(context),
  isPassThrough: () => true,
  marks: { changesNothing: true },
  leadingVariable({ content }, variables) {
    const lone = parseTemplate(firstText(readContent(content ?? {}).richText), variables).lone
    return lone?.kind === 'variable' ? lone.ref : undefined
  },
  transcriptLine: ({ content }) =>
    'richText' in content ? toMarkdown(content.richText as Node[]) : content.markdown,
})

interface ReadContent {
  readonly richText: readonly unknown[] | undefined
  /** The nodes that were made of a text. */
  readonly made?: readonly Node[]
  /** The place of all its texts inside the block, where they are one; undefined where each has its own. */
  readonly at?: string
}

/** Memory of a node that is no value of the definition, once it is compiled. Measured. */
const bytesPerMadeNode = 400

/** No author writes as many, and each takes hundreds of bytes: a text of more is one paragraph. */
const mostLines = 10_000

/** The content as rich text, however its author wrote it. */
function readContent(content: NonNullable<TextBubbleBlock['content']>): ReadContent {
  if (typeof content === 'string') {
    const lines = content.split(/\r?\n/, mostLines + 1)
    const texts = lines.length > mostLines ? [content] : lines
    return madeOf(
      texts.map((text) => paragraph([{ text }])),
      '/content',
    )
  }
  const { richText, markdown } = content
  if (richText || markdown === undefined) return { richText }
  return madeOf(readMarkdownTemplate(markdown), '/content/markdown')
}

const madeOf = (made: readonly Node[], at: string): ReadContent => ({ richText: made, made, at })

/** The text of the first leaf of the first paragraph; empty when there is none. */
function firstText(richText: readonly unknown[] | undefined): string {
  const [paragraph] = richText ?? []
  const { children } = Object(paragraph) as { children?: unknown }
  const { text } = Object(Array.isArray(children) ? children[0] : undefined) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}

/** A bubble without any text is always rich text: clients rely on it. */
function compileContent(
  id: string,
  { richText, made = [], at }: ReadContent,
  context: CompileContext,
): ShowBubble {
  context.variables.footprint.add(bytesPerMadeNode * countNodes(made))
  const message = (content: TextMessage['content']): TextMessage => ({ id, type: 'text', content })
  if (!richText) return showMessage(true, () => message({ type: 'richText', richText: [] }))
  const textAt: CompileContext['text'] = (text, place) => context.text(text, at ?? place)
  const compiled = compileRichText(richText, { text: textAt }, '/content/richText')
  const isConstant = compiled.constant !== undefined
  const shows = {
    richText: showMessage(isConstant, (run) =>
      message({ type: 'richText', richText: [...expandRichText(compiled, run, run.isLegacy)] }),
    ),
    markdown: showMessage(isConstant, (run) =>
      message({ type: 'markdown', markdown: toMarkdown(expandRichText(compiled, run, run.isLegacy)) }),
    ),
  }
  return (run) => shows[run.textBubbleContentFormat](run)
}

import { modelBlockTypes } from '../../../../../schemas/generated-content.ts'
import type { CompiledBlock } from '../../../../engine/model/program.ts'
import type { FlowModel } from '../../model/flow-model.ts'
import type { PlacedBlock } from '../../model/placed-block.ts'
import { defineRule } from '../../rule.ts'

/** A flow that lets a model speak, and does not say so. */
export const noAiDisclosure = defineRule({
  code: 'no-ai-disclosure',
  severity: 'warning',
  title: 'A machine that does not say that it is one',
  description:
    'A model writes or speaks in the flow, and nothing that is shown before the first answer says so: in the European Union people have to be told, at the latest when they are first spoken to (AI Act, article 50). Set `settings.general.aiDisclosure`, by which page and messengers say it and messages of models are marked, or say it in the first messages. Said it counts where a text up to the first input has a word for it in one of the languages that the pages speak: AI, KI, IA, ИИ, bot, robot, automatic, artificial, virtual, 人工智能, ボット and the like. It is words that are looked for, not what they mean: whether that is clear enough is for the author to judge. Where another flow says it that links here, or where it is obvious, ask for silence in the block.',
  checkFlow({ model, report }) {
    if (model.flow.settings.general?.aiDisclosure === true) return
    const speaking = model.blocks.find(
      ({ block, compiled }) => speaks(block.type) && model.graph.isReachable(compiled),
    )
    if (!speaking || firstTurnOf(model).some(discloses)) return
    report({
      pointer: speaking.pointer,
      message: 'A model speaks here, and nothing before the first answer says that a machine does.',
      hint: 'Set settings.general.aiDisclosure, or say it in the first message.',
    })
  },
})

const speaks = (type: string) => modelBlockTypes.includes(type)

/** The blocks that a visitor may meet before anything is answered, the first inputs included. */
function firstTurnOf({ graph, blocks }: FlowModel): readonly PlacedBlock[] {
  const placed = new Map(blocks.map((one) => [one.compiled, one]))
  const met = new Set<CompiledBlock>(graph.entries.slice(0, 1))
  // A set that grows is iterated to its end.
  for (const block of met) {
    if (block.handler?.kind === 'input') continue
    for (const next of graph.next(block)) met.add(next)
  }
  return [...met].flatMap((block) => placed.get(block) ?? [])
}

function discloses({ kind, texts }: PlacedBlock): boolean {
  return (kind === 'bubble' || kind === 'input') && texts.some(({ text }) => saysSo(text))
}

/** Characters of a text that are looked through. */
const longestSearched = 10_000

/** In capitals only: `ai` is a word of Italian and French, `ia` of Indonesian, `ki` of Turkish. */
const acronym =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}])(?:A\.?I|KI|IA|ИИ|LLM)(?![\p{Script=Latin}\p{Script=Cyrillic}])/u

/** Beginnings of words. */
const stem =
  /(?<!\p{L})(?:(?:chat|voice)?bots?(?!\p{L})|robot|automat|otomat|artifici|künstlich|kunstmatig|sztuczn|yapay|virtu|tự động|nhân tạo|(?:чат-?)?бот(?!\p{L})|робот|автомат|искусств|виртуальн)/iu

/** Of languages that write no blanks between words, or bend them at their beginning. */
const anywhere =
  /자동|인공|봇|自动|自動|人工|机器人|機器人|ボット|ロボット|اصطناعي|روبوت|آلي|مصنوعی|ربات|कृत्रिम|बॉट|रोबोट|কৃত্রিম|বট|রোবট/u

/** Whether a text has a word by which machines are called. */
function saysSo(whole: string): boolean {
  const text = whole.slice(0, longestSearched)
  return acronym.test(text) || stem.test(text) || anywhere.test(text)
}

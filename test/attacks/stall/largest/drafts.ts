import type { Json, Row } from '../world.ts'
import { bubble, computes, setVariable, started, textInput, times, variable } from './flows.ts'

/** The characters of a draft that still fit into a body with everything around them. */
const most = 7_500_000

function nested(levels: number): Json {
  let node: Json = { text: 'x' }
  for (let level = 0; level < levels; level++) node = { type: 'p', children: [node] }
  return node
}

/** Translations under so many keys. */
const inFrench = (many: number, keyOf: (nth: number) => string): Json => ({
  fr: Object.fromEntries(times(many, (nth) => [keyOf(nth), 'y'.repeat(100)])),
})

/** A pattern of so many groups of one name, so deep. */
function namedGroups(names: number, depth: number): string {
  const alternatives = times(names, () => '((?<a>))').join('|')
  return `/${'('.repeat(depth)}${alternatives}${')'.repeat(depth)}/.test("")`
}

/** Every one of them is a definition that is legal, or nearly so. */
export const drafts: readonly Row[] = [
  started('one long text', () => ({ blocks: [bubble('b', 'x'.repeat(most)), textInput('i')] })),
  started('texts', () => ({
    blocks: [...times(9_000, (nth) => bubble(`b${nth}`, 'x'.repeat(700))), textInput('i')],
  })),
  started('inputs', () => ({ blocks: times(44_000, (nth) => textInput(`i${nth}`)) })),
  started('groups and edges', () => ({
    groups: times(12_000, (nth) => ({
      id: `g${nth}`,
      title: `Group ${nth}`,
      blocks: [{ ...textInput(`i${nth}`), outgoingEdgeId: `e${nth}` }],
    })),
    edges: times(11_000, (nth) => ({ id: `e${nth}`, to: { groupId: `g${nth + 1}` } })),
  })),
  started('variables', () => ({
    blocks: [textInput('i')],
    variables: times(60_000, (nth) => variable(`N${nth}`, { value: 'x'.repeat(50) })),
  })),
  started('placeholders', () => ({
    blocks: [bubble('b', '{{V}}'.repeat(most / 5)), textInput('i')],
    variables: [variable('V', { value: 'x' })],
  })),
  started('bubbles of placeholders', () => ({
    blocks: [...times(450, (nth) => bubble(`b${nth}`, '{{V}}'.repeat(3_000))), textInput('i')],
    variables: [variable('V', { value: 'x' })],
  })),
  started('inline code', () => ({
    blocks: [bubble('b', times(100_000, (nth) => `{{= ${nth} + 1 =}}`).join('\n')), textInput('i')],
  })),
  started(
    'texts in another language',
    () => ({
      blocks: [...times(9_000, (nth) => bubble(`b${nth}`, 'x'.repeat(300))), textInput('i')],
      localizations: inFrench(9_000, (nth) => `b${nth}/content/richText/0/children/0/text`),
    }),
    { locale: 'fr' },
  ),
  started(
    'choices in another language',
    () => ({
      blocks: [
        { id: 'b', type: 'choice input', items: times(30_000, (nth) => ({ id: `i${nth}`, content: 'x' })) },
      ],
      localizations: inFrench(30_000, (nth) => `b/items/${nth}/content`),
    }),
    { locale: 'fr' },
  ),
  ...Object.entries({
    'braces that never close': '{',
    'code that never ends': '{{=',
    placeholders: '{{V}}',
    'marks around placeholders': '**{{V}}** ',
    words: 'a ',
  }).map(([name, text]) =>
    started(`markdown of ${name}`, () => ({
      blocks: [
        { id: 'b', type: 'text', content: { markdown: text.repeat(most / text.length) } },
        { id: 'c', type: 'text', content: { markdown: text.repeat(65_000 / text.length) } },
        textInput('i'),
      ],
      variables: [variable('V', { value: 'x' })],
    })),
  ),
  started('a plain text of lines', () => ({
    blocks: [{ id: 'b', type: 'text', content: 'a\n'.repeat(most / 3) }, textInput('i')],
  })),
  started('plain texts of lines', () => ({
    blocks: [
      ...times(200, (nth) => ({ id: `b${nth}`, type: 'text', content: 'a\n'.repeat(9_999) })),
      textInput('i'),
    ],
  })),
  started('deep rich text', () => ({
    blocks: [{ id: 'b', type: 'text', content: { richText: times(100, () => nested(40)) } }, textInput('i')],
  })),
  started('expressions', () => ({
    blocks: [
      ...times(400, (nth) => computes(times(150, (term) => `f${term}(${nth})`).join(' + '), `s${nth}`)),
      textInput('i'),
    ],
    variables: [variable('T')],
  })),
  started('expressions that are parsed as far as code may be', () => ({
    blocks: [
      ...times(400, (nth) => computes(`/* ${'x'.repeat(16_000)} */ ${nth}`, `s${nth}`)),
      textInput('i'),
    ],
    variables: [variable('T')],
  })),
  started('a pattern of many groups of one name', () => ({
    blocks: [computes(namedGroups(1_500, 400)), textInput('i')],
    variables: [variable('T')],
  })),
  started('a long pattern of sequences of characters', () => ({
    blocks: [computes(`/${'\\p{RGI_Emoji}'.repeat(1_000)}/v.test("x")`), textInput('i')],
    variables: [variable('T')],
  })),
  started('response paths that are patterns', () => ({
    blocks: [
      {
        id: 'w',
        type: 'webhook',
        options: {
          responseVariableMapping: times(300, (nth) => ({
            id: `m${nth}`,
            variableId: 'vT',
            bodyPath: namedGroups(600 + nth, 200),
          })),
        },
      },
    ],
    variables: [variable('T')],
  })),
  started('response paths', () => ({
    blocks: [
      {
        id: 'w',
        type: 'webhook',
        options: {
          responseVariableMapping: times(20_000, (nth) => ({
            id: `m${nth}`,
            variableId: 'vT',
            bodyPath: `data.items[${nth}].flatMap(item => item.names)`,
          })),
        },
      },
    ],
    variables: [variable('T')],
  })),
  started('code for the head of the page', () => ({
    blocks: [textInput('i')],
    settings: { metadata: { customHeadCode: '<b><li>'.repeat(9_000) } },
  })),
  started('comparisons with patterns', () => ({
    blocks: [
      {
        id: 'c',
        type: 'Condition',
        items: [
          {
            id: 'item',
            content: {
              logicalOperator: 'OR',
              comparisons: times(6_000, (nth) => ({
                id: `c${nth}`,
                variableId: 'vV',
                comparisonOperator: 'Matches regex',
                value: `^(\\p{L}{1,60}|[a-z${nth}]+){1,6}$`,
              })),
            },
          },
        ],
      },
      textInput('i'),
    ],
    variables: [variable('V', { value: 'x'.repeat(5_000) })],
  })),
  started('choices', () => ({
    blocks: [
      {
        id: 'i',
        type: 'choice input',
        items: times(40_000, (nth) => ({ id: `c${nth}`, content: `Choice ${nth}` })),
      },
    ],
  })),
  started('assignments', () => ({
    blocks: [
      ...times(900, (nth) =>
        setVariable(`s${nth}`, 'vT', { expressionToEvaluate: `{{T}}${'x'.repeat(70)}` }),
      ),
      textInput('i'),
    ],
    variables: [variable('T')],
  })),
  started('a theme of placeholders', () => ({
    blocks: [textInput('i')],
    variables: [variable('V', { value: 'x'.repeat(100) })],
    theme: { customCss: times(9_000, () => '{{V}}').join('\n') },
  })),
]

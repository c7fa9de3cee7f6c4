import type { Json, Row } from '../world.ts'
import { answered, bubble, setVariable, startedWith, times } from './flows.ts'

/** Characters of a variable. */
const most = 65_536

const repeated = (text: string) => () => ({ V: text.repeat(Math.floor(most / text.length)) })

const link = (url: string): Json => ({
  id: 'b',
  type: 'text',
  content: { richText: [{ type: 'p', children: [{ type: 'a', url, children: [{ text: 'x {{V}}' }] }] }] },
})

const condition = (comparisonOperator: string, value: string): Json => ({
  id: 'c',
  type: 'Condition',
  items: times(50, (nth) => ({
    id: `item${nth}`,
    content: {
      comparisons: [{ id: `q${nth}`, variableId: 'vV', comparisonOperator, value: `${value}${nth}` }],
    },
  })),
})

const dynamicChoice: Json = { id: 'i', type: 'choice input', items: [], options: { dynamicVariableId: 'vL' } }

/** Values that come with a start, as texts are read that hold them. */
export const values: readonly Row[] = [
  ...Object.entries({
    'code links': 'javascript \t:',
    tabs: '\t',
    blanks: ' ',
    'line ends': '\n',
    brackets: '[',
    links: '[a](b) ',
    'half links': '[a](',
    stars: '*a_',
    'many stars': '*',
    quotes: '> ',
    lists: '- - ',
    ticks: '`a``',
    angles: '<a <',
    escapes: '\\*',
    entities: '&amp;',
    references: '[a]: b\n',
    tables: '|a|\n|-|\n',
  }).map(([name, text]) => startedWith(`${name} in a bubble`, [bubble('b', '{{V}}')], repeated(text))),
  startedWith('code links in an address', [link('{{V}}')], repeated('javascript \t:')),
  startedWith('tabs in an address', [link('https://a.example/?q={{V}}')], repeated('\t')),
  startedWith(
    'a value that stands in a text many times',
    [bubble('b', '{{V}} '.repeat(100))],
    repeated('*a* '),
  ),
  startedWith('marks in a dynamic choice', [dynamicChoice], () => ({
    L: times(10, (nth) => `${nth}a${'\u0301'.repeat(3_000)}${'\u0316'.repeat(3_000)}`),
  })),
  answered(
    'a reply to a dynamic choice of marks',
    [dynamicChoice],
    () => `a${'\u0316\u0301'.repeat(8_000)}`,
    {
      L: times(10, (nth) => `${nth}a${'\u0301'.repeat(3_000)}${'\u0316'.repeat(3_000)}`),
    },
  ),
  answered('a reply to a dynamic choice of many', [dynamicChoice], () => 'none of them', {
    L: times(15_000, String),
  }),
  startedWith('searches for a long text', [condition('Contains', '{{W}}')], () => ({
    V: 'ab'.repeat(most / 2),
    W: `${'ab'.repeat(16_000)}c`,
  })),
  startedWith('comparisons of piles of marks', [condition('Contains', '{{W}}')], () => ({
    V: `a${'\u0301\u0316'.repeat(14)}`.repeat(2_200),
    W: `b${'\u0316\u0301'.repeat(14)}`.repeat(2_200),
  })),
  startedWith('searches that ignore case and marks', [condition('Equal to', '{{W}}')], () => ({
    V: `a${'\u0301\u0316'.repeat(30_000)}`,
    W: `a${'\u0316\u0301'.repeat(30_000)}`,
  })),
  ...['(a|aa)*b', '(.*)(.*)(.*)x', '(a?){400}a{400}', '[\\p{L}\\p{M}]*\\d', '(?=(a+)+b)a', '(a*)*\\1b'].map(
    (pattern) =>
      startedWith(`a text matched with ${pattern}`, [condition('Matches regex', pattern)], repeated('a')),
  ),
  startedWith(
    'an assignment of a long text to all',
    times(200, (nth) => setVariable(`s${nth}`, 'vT', { expressionToEvaluate: '{{V}}' })),
    repeated('é'),
  ),
  startedWith(
    'a script for the client',
    [
      {
        id: 'c',
        type: 'Code',
        options: { content: 'console.log({{V}}, {{L}}); '.repeat(40), isExecutedOnClient: true },
      },
    ],
    repeated('</script>"\\'),
  ),
  startedWith(
    'a redirect',
    [{ id: 'r', type: 'Redirect', options: { url: 'https://a.example/{{V}}' } }],
    repeated('../%'),
  ),
]

import { sourceHash } from '../../../../src/definition/content-hash.ts'
import { bubble, variable } from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import type { RuleCase } from './rule-case.ts'

const key = 'a/content/richText/0/children/0/text'
const at = '/groups/0/blocks/0/content/richText/0/children/0/text'
const inFrench = '/localizations/fr/a~1content~1richText~10~1children~10~1text'

/** A text, and what it is in French. */
const said = (text: string, fr: Json | string | undefined, more: Json = {}) => ({
  blocks: [bubble('a', text)],
  variables: [variable('Name')],
  settings: { general: { language: 'en' } },
  definition: { localizations: { fr: fr === undefined ? {} : { [key]: fr } } },
  ...more,
})
const flowOf = ({ definition, ...flow }: ReturnType<typeof said>) => ({ ...flow, ...definition })

/** A choice that is compared by its label. */
const compared = (item: Json, value: string, comparisonOperator = 'Equal to') => ({
  variables: [variable('Color')],
  localizations: { fr: { 'c/items/0/content': 'Rouge' } },
  blocks: [
    {
      id: 'c',
      type: 'choice input',
      items: [{ id: 'r', content: 'Red', ...item }],
      options: { variableId: 'vColor' },
    },
    {
      id: 'd',
      type: 'Condition',
      items: [
        { id: 'i', content: { comparisons: [{ id: 'q', variableId: 'vColor', comparisonOperator, value }] } },
      ],
    },
  ],
})
const comparedAt = '/groups/0/blocks/1/items/0/content/comparisons/0/value'

export const translations: readonly RuleCase[] = [
  {
    code: 'own-language-missing',
    finds: [[flowOf(said('Hi', 'Salut', { settings: {} })), '/localizations']],
    spares: [flowOf(said('Hi', 'Salut')), { blocks: [bubble('a', 'Hi')] }],
  },
  {
    code: 'translation-missing',
    finds: [
      [flowOf(said('Hi', undefined)), at],
      [flowOf(said('Hi', '')), at],
    ],
    spares: [
      flowOf(said('Hi', 'Salut')),
      flowOf(said('{{Name}} 👋', undefined)),
      { blocks: [bubble('a', 'Hi')] },
    ],
  },
  {
    code: 'translation-orphaned',
    finds: [
      [{ blocks: [], localizations: { fr: { [key]: 'Salut' } } }, inFrench],
      [{ blocks: [bubble('a', 'Hi')], localizations: { fr: { 'a/id': 'b' } } }, '/localizations/fr/a~1id'],
    ],
    spares: [
      flowOf(said('Hi', 'Salut')),
      {
        blocks: [],
        settings: { metadata: { title: 'A' } },
        localizations: { fr: { '/settings/metadata/title': 'B' } },
      },
    ],
  },
  {
    code: 'translation-outdated',
    finds: [[flowOf(said('Hi', { text: 'Salut', source: sourceHash('Hello') })), inFrench]],
    spares: [
      flowOf(said('Hi', { text: 'Salut', source: sourceHash('Hi') })),
      flowOf(said('Hi', { text: 'Salut' })),
      flowOf(said('Hi', 'Salut')),
    ],
  },
  {
    code: 'translation-placeholders',
    finds: [
      [flowOf(said('Hi {{Name}}', 'Salut')), inFrench],
      [flowOf(said('Hi', 'Salut {{Name}}')), inFrench],
      [flowOf(said('Hi {{Name}}', 'Salut {{Nom}}')), inFrench],
    ],
    spares: [flowOf(said('Hi {{Name}}', 'Salut {{Name}}, {{Name}}')), flowOf(said('Hi {{Name}}', ''))],
  },
  {
    code: 'translated-label-compared',
    finds: [
      [compared({}, 'Red'), comparedAt],
      [compared({}, 're', 'Starts with'), comparedAt],
    ],
    spares: [
      compared({ value: 'Red' }, 'Red'),
      compared({}, 'Blue'),
      compared({}, 'Red', 'Is set'),
      compared({ content: 'Rouge' }, 'Rouge'),
    ],
  },
]

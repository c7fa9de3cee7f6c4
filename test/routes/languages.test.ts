import { describe, expect, it } from 'vitest'
import { Results } from '../../src/results/results-service.ts'
import { serveChat } from '../fixtures/served-chat.ts'
import { bubble, edge, group, leaving, setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'

const textOf = (id: string) => `${id}/content/richText/0/children/0/text`
const sentence = ({ messages }: Json) =>
  (messages as { content: { markdown: string } }[]).map(({ content }) => content.markdown.trim()).join(' ')
const markdown = { textBubbleContentFormat: 'markdown' }
const speaking = (tags: string) => ({ 'accept-language': tags })

const flow = wholeDefinition({
  publicId: 'flow-1',
  variables: [variable('Name')],
  blocks: [
    bubble('b1', 'Your name?'),
    textInput('i1', 'vName'),
    bubble('b2', 'Hi {{Name}}'),
    textInput('i2'),
  ],
  settings: { general: { language: 'en' } },
  localizations: {
    fr: {
      [textOf('b1')]: 'Votre nom ?',
      'i1/options/labels/placeholder': 'Nom',
      [textOf('b2')]: 'Bonjour {{Name}}',
    },
    'pt-BR': { [textOf('b1')]: 'Seu nome?' },
  },
})

describe('the language of a conversation', () => {
  it.each([
    ['the header', {}, 'pt-BR, fr;q=0.9', 'Seu nome?'],
    ['the weights of the header', {}, 'fr;q=0.1, en;q=0.9', 'Your name?'],
    ['a shorter tag of the header', {}, 'de, fr-CH', 'Votre nom ?'],
    ['the body before the header', { locale: 'fr' }, 'pt-BR', 'Votre nom ?'],
    ['the body alone, where it names another', { locale: 'de' }, 'fr', 'Your name?'],
    ['the flow, where nobody asks', {}, '', 'Your name?'],
  ])('comes from %s, on both starts', async (_, body, tags, text) => {
    const { start, preview } = await serveChat([flow])
    expect(sentence((await start({ ...markdown, ...body }, speaking(tags))).json())).toBe(text)
    const draft = await preview({ ...markdown, ...body, flow }, speaking(tags))
    expect(sentence(draft.json())).toBe(text)
  })

  it('is kept, changed, told, and found in the result and in the table', async () => {
    const { chat, start, look, goOn, post } = await serveChat([flow])
    const first = await start(markdown, speaking('fr'))
    expect(first.json().flow.settings.general.language).toBe('fr')
    const url = '/v1/sessions/session-1/continueChat'
    const changed = (await post(url, { ...markdown, locale: 'pt' })).json()
    // No range is made longer.
    expect([changed.locale, sentence(changed), changed.input.id]).toEqual(['en', 'Your name?', 'i1'])
    const back = (await post(url, { ...markdown, locale: 'fr-FR' })).json()
    expect([back.locale, sentence(back)]).toEqual(['fr', 'Votre nom ?'])
    expect((await look()).json().flow.settings.general.language).toBe('fr')
    expect((await goOn('Ada')).json().messages[0].content.richText[0].children).toEqual([
      { text: 'Bonjour ' },
      { text: 'Ada' },
    ])
    const results = new Results(chat)
    const page = { publicId: 'flow-1', limit: 1, cursor: undefined }
    expect((await results.list(page)).results).toMatchObject([
      { locale: 'fr', answers: [{ content: 'Ada' }] },
    ])
    expect((await results.table({ ...page, actor: 'ann' })).csv).toMatch(
      /^.id,createdAt,hasStarted,isCompleted,locale,.*\r\n.*,fr,/,
    )
  })

  it('is nothing of one visitor to another', async () => {
    const { start } = await serveChat([flow])
    const texts = []
    for (const tags of ['fr', 'en', 'fr', 'pt-BR', 'fr'])
      texts.push(sentence((await start(markdown, speaking(tags))).json()))
    expect(texts).toEqual(['Votre nom ?', 'Your name?', 'Votre nom ?', 'Seu nome?', 'Votre nom ?'])
  })

  it('is that of links as well, where they have it, and what the service says by default', async () => {
    const linked = wholeDefinition({
      id: 'other',
      blocks: [bubble('o1', 'Andere'), { id: 'i9', type: 'email input' }],
      settings: { general: { language: 'de' } },
      localizations: { fr: { [textOf('o1')]: 'Autre' }, en: { [textOf('o1')]: 'Other' } },
    })
    const link = { id: 'l', type: 'Flow link', options: { flowId: 'other' } }
    const root = wholeDefinition({
      publicId: 'flow-1',
      blocks: [link],
      settings: { general: { language: 'en' } },
      localizations: { fr: { '/settings/metadata/title': 'Titre' } },
    })
    const { start, post } = await serveChat([root, linked])
    const url = '/v1/sessions/session-1/continueChat'
    expect(sentence((await start(markdown, speaking('fr'))).json())).toBe('Autre')
    const refused = (await post(url, { ...markdown, message: 'no address' })).json()
    expect(sentence(refused)).toContain('adresse')
    expect(sentence((await post(url, { ...markdown, locale: 'en' })).json())).toBe('Other')
    expect(sentence((await post(url, { ...markdown, message: 'no address' })).json())).toContain(
      'e-mail address',
    )
  })

  it('holds for a message of a closed flow, and for defaults of a flow that names no language', async () => {
    const closed = {
      ...flow,
      isClosed: true,
      localizations: { fr: { '/settings/general/systemMessages/botClosed': 'Fermé' } },
    }
    const settings = { general: { language: 'en', systemMessages: { botClosed: 'Closed' } } }
    const one = await serveChat([{ ...closed, settings }])
    expect((await one.start({}, speaking('fr'))).json().message).toBe('Fermé')
    expect((await one.start({}, speaking('de'))).json().message).toBe('Closed')
    const silent = wholeDefinition({ publicId: 'flow-1', blocks: [{ id: 'i', type: 'email input' }] })
    const two = await serveChat([silent])
    const refusal = async () => JSON.stringify((await two.goOn('no address')).json().messages)
    // Clients that say nothing get what they always got.
    await two.start({}, speaking('fr'))
    expect(await refusal()).toContain('e-mail address')
    const { start, goOn } = await serveChat([silent])
    await start({ locale: 'fr' })
    expect(JSON.stringify((await goOn('no address')).json().messages)).toContain('adresse')
  })

  it('is said again without another answer, and not where something else is awaited', async () => {
    const counting = wholeDefinition({
      publicId: 'flow-1',
      variables: [variable('Said')],
      groups: [
        group('g1', leaving(textInput('i1', 'vSaid'), 'e1')),
        group(
          'g2',
          setVariable('s', 'vSaid', { type: 'Append value(s)', item: 'x' }),
          bubble('b', '{{Said}}'),
          {
            id: 'w',
            type: 'webhook',
          },
        ),
      ],
      edges: [edge('e1', 'g2')],
      settings: { general: { language: 'en' } },
      localizations: { fr: { 'i1/options/labels/placeholder': 'x' } },
    })
    const { start, post } = await serveChat([counting])
    await start(markdown)
    const url = '/v1/sessions/session-1/continueChat'
    const again = (await post(url, { ...markdown, locale: 'fr' })).json()
    expect(again).toMatchObject({ messages: [], input: { id: 'i1' } })
    await post(url, { ...markdown, message: 'a' })
    expect((await post(url, { ...markdown, locale: 'en' })).json()).toEqual({ messages: [], locale: 'en' })
    expect((await post(url, { ...markdown, locale: 'fr' })).statusCode).toBe(200)
  })

  it('is a language tag', async () => {
    const { start, preview } = await serveChat([flow])
    const refused = await start({ locale: 'fr_FR' })
    expect([refused.statusCode, refused.json().errors[0].pointer]).toEqual([400, '/locale'])
    const draft = await preview({ flow: { ...flow, localizations: { fr_FR: {} } } })
    expect(draft.json().errors).toEqual([
      {
        pointer: '/flow/localizations/fr_FR',
        message: expect.stringContaining('has a name that must match pattern'),
      },
    ])
    expect((await preview({ flow: { ...flow, localizations: null } })).statusCode).toBe(200)
  })
})

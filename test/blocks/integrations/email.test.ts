import { describe, expect, it } from 'vitest'
import type { EmailBlock } from '../../../schemas/blocks/integrations.ts'
import { email } from '../../../src/blocks/integrations/email.ts'
import type { BlockHandler } from '../../../src/engine/model/block-handler.ts'
import type { Mail, MailOutcome } from '../../../src/engine/model/effect-payloads.ts'
import type { Effect, Effects } from '../../../src/engine/model/effects.ts'
import type { Step } from '../../../src/engine/model/step.ts'
import { prepareBlock, type Surroundings } from '../../support/run-block.ts'

type Options = NonNullable<EmailBlock['options']>

function mail(options?: Options): EmailBlock {
  return { id: 'b1', type: 'Email', ...(options && { options }) }
}

const to = ['desk@shop.example']
const now = Date.UTC(2026, 10, 21)
const sent: MailOutcome = { kind: 'sent', details: {} }

/** Notes the effects that a handler asks for. */
function noting(effects: Effect[]): BlockHandler {
  return {
    ...email,
    *run(compiled, context): Effects<Step> {
      const steps = email.run(compiled, context) as Effects<Step>
      let step = steps.next()
      while (!step.done) {
        effects.push(step.value)
        step = steps.next(yield step.value)
      }
      return step.value
    },
  }
}

/** Runs a block, by default one that sends to the desk, and tells what it asked for. */
function run(options: Options | undefined, given: Surroundings = {}, outcome: MailOutcome = sent) {
  const effects: Effect[] = []
  const prepared = prepareBlock(noting(effects), mail(options), {
    ...given,
    effects: { mail: outcome, now, ...given.effects },
  })
  const step = prepared.run()
  const mails = effects.flatMap((effect) => (effect.type === 'mail' ? [effect.mail] : []))
  return { step, mails, effects, findings: prepared.findings, spent: prepared.spent() }
}

function mailOf(options: Options, variables: NonNullable<Surroundings['variables']> = {}): Mail | undefined {
  return run({ credentialsId: 'default', recipients: to, ...options }, { variables }).mails[0]
}

const error = (description: string) => ({ logs: [{ status: 'error', description }] })

describe('Email', () => {
  it('asks for a mail with everything in it', () => {
    const { mails, findings } = run(
      {
        credentialsId: 'default',
        recipients: ['desk@shop.example', '{{Email}}'],
        cc: ['{{Name}} <a@shop.example>'],
        bcc: ['b@shop.example'],
        replyTo: '{{Name}} <{{Email}}>',
        subject: 'Quote for {{Name}}',
        body: 'Hello {{Name}}',
        isCustomBody: true,
        attachmentsVariableId: 'vFiles',
      },
      {
        variables: {
          Name: 'Ada',
          Email: 'ada@mail.example',
          Files: ['https://chat.example/a', 'https://chat.example/b'],
        },
      },
    )
    expect(mails).toEqual([
      {
        credentialsId: 'default',
        to: ['desk@shop.example', 'ada@mail.example'],
        cc: ['"Ada" <a@shop.example>'],
        bcc: ['b@shop.example'],
        replyTo: '"Ada" <ada@mail.example>',
        subject: 'Quote for Ada',
        text: 'Hello Ada',
        attachments: ['https://chat.example/a', 'https://chat.example/b'],
      },
    ])
    expect(findings).toEqual([])
  })

  it.each([{}, { recipients: to, credentialsId: 'default' }])('is not sent from a preview: %j', (options) => {
    const { step, effects } = run(options, { isLive: false })
    expect(step).toEqual({ logs: [{ status: 'info', description: 'Emails are not sent in preview mode' }] })
    expect(effects).toEqual([])
  })

  it.each([{ body: 'Hello' }, { credentialsId: 'default' }, { credentialsId: 'default', recipients: [] }])(
    'does nothing without recipients: %j',
    (options) => {
      const { step, effects } = run(options)
      expect(step).toEqual({})
      expect(effects).toEqual([])
    },
  )

  it.each([true, false])('does nothing without options (live: %s)', (isLive) => {
    const { step, effects } = run(undefined, { isLive })
    expect(step).toEqual({})
    expect(effects).toEqual([])
  })

  it.each([{}, { credentialsId: '' }])('needs credentials: %j', (given) => {
    const { step, effects } = run({ recipients: to, ...given })
    expect(step).toEqual(error('No credentials found, make sure to configure your SMTP provider properly'))
    expect(effects).toEqual([])
  })

  it('never takes the name of credentials from a variable', () => {
    expect(mailOf({ credentialsId: '{{Id}}' }, { Id: 'default' })?.credentialsId).toBe('{{Id}}')
  })

  it('always passes', () => {
    expect(email.isPassThrough?.(mail())).toBe(true)
  })
})

describe('the log of a mail', () => {
  const options = { credentialsId: 'default', recipients: to, body: 'Hi' }
  const details = { email: { to } }
  it.each<[MailOutcome, object]>([
    [
      { kind: 'sent', details },
      { status: 'success', description: 'Email successfully sent', details: JSON.stringify(details) },
    ],
    [
      { kind: 'failed', message: 'gone', details: { error: 'gone' } },
      { status: 'error', description: 'Email not sent', details: '{"error":"gone"}' },
    ],
    [
      { kind: 'refused', message: 'The same email is not sent twice in a row' },
      { status: 'error', description: 'The same email is not sent twice in a row' },
    ],
  ])('after %j', (outcome, log) => {
    expect(run(options, {}, outcome).step).toEqual({ logs: [log] })
  })
})

describe('the people of a mail', () => {
  const success = { status: 'success', description: 'Email successfully sent', details: '{}' }
  const leftOut = (what: string) => ({
    status: 'error',
    description: `${what} of an email is not valid and was left out`,
  })
  const invalid = { credentialsId: 'default', recipients: to, body: 'Hi' }

  it.each<[Options, object[]]>([
    [{ replyTo: 'Léa <b> <lea@mail.example>' }, [leftOut('The reply address')]],
    [{ replyTo: 'Léa <>' }, [leftOut('The reply address')]],
    [{ recipients: [...to, 'nobody'] }, [leftOut('A recipient')]],
    [{ cc: ['nobody'], bcc: ['nobody'] }, [leftOut('A recipient')]],
    [{ bcc: ['nobody'], replyTo: 'nobody' }, [leftOut('A recipient'), leftOut('The reply address')]],
  ])('are left out with a log when they are none: %j', (options, logs) => {
    const { step, mails } = run({ ...invalid, ...options })
    expect(step).toEqual({ logs: [...logs, success] })
    expect(mails).toMatchObject([{ to, cc: [], bcc: [] }])
    expect(mails[0]).not.toHaveProperty('replyTo')
  })

  it.each<[Options, Surroundings['variables']]>([
    [{ replyTo: '' }, {}],
    [{ replyTo: '{{Email}}' }, {}],
    [{ cc: ['', '{{Email}}'], bcc: [' '] }, { Email: '' }],
    [{ recipients: ['{{Email}}', 'desk@shop.example'] }, { Email: null }],
  ])('are left out in silence when there are none: %j', (options, variables = {}) => {
    const { step, mails } = run({ ...invalid, ...options }, { variables })
    expect(step).toEqual({ logs: [success] })
    expect(mails).toMatchObject([{ to, cc: [], bcc: [] }])
    expect(mails[0]).not.toHaveProperty('replyTo')
  })

  it.each([['{{Email}}'], ['nobody'], ['', '{{Email}}', 'nobody <']])(
    'have to be some: %s',
    (...recipients) => {
      const { step, effects } = run({ ...invalid, recipients, cc: to })
      expect(step).toEqual(error('An email has no valid recipient and was not sent'))
      expect(effects).toEqual([])
    },
  )

  it.each<[string, Surroundings['variables'], string[]]>([
    ['{{Desk}}', { Desk: ['a@b', null, '', 'C <c@d>'] }, ['a@b', '"C" <c@d>']],
    ['{{Desk}}', { Desk: 'a@b, C <c@d>,' }, ['a@b', '"C" <c@d>']],
    ['{{Desk}}', { Desk: 'Doe, Jane <c@d>' }, ['"Doe, Jane" <c@d>']],
    ['{{= "a@b,c@d" =}}', {}, ['a@b', 'c@d']],
    ['{{Desk}}', { Desk: ['a@b', 'a@b'] }, ['a@b']],
  ])('may stand in a variable: %s of %j', (recipient, variables = {}, expected) => {
    expect(mailOf({ recipients: [recipient] }, variables)?.to).toEqual(expected)
  })

  it.each([
    '{{Name}} <desk@shop.example>',
    'Desk <{{Email}}>',
    '{{Name}}{{Email}}',
    'desk@shop.example, {{Email}}',
  ])('are not added by a value inside a text: %s', (recipient) => {
    const variables = { Name: 'eve@mail.example>, <eve@mail.example', Email: 'a@b>, <eve@mail.example' }
    const { step, mails } = run({ ...invalid, recipients: [...to, recipient] }, { variables })
    expect(mails).toMatchObject([{ to }])
    expect(step.logs).toHaveLength(2)
  })

  it.each([100, 101])('are at most 100: %s', (count) => {
    const Everybody = Array.from({ length: count - 2 }, (_, index) => `a${index}@mail.example`)
    const options = { ...invalid, cc: ['{{Everybody}}'], bcc: ['b@shop.example'] }
    const { step, mails } = run(options, { variables: { Everybody } })
    expect(mails).toHaveLength(count === 100 ? 1 : 0)
    expect(step).toEqual(
      count === 100 ? { logs: [success] } : error('An email to more than 100 people was not sent'),
    )
  })
})

describe('the body of a mail', () => {
  const values = { Quotes: `'x"`, Name: 'Léa <b> & "co"', Lines: 'a\nb\r\n<c>', List: ['a', null, '<b>'] }

  it.each<[string, Options, { text: string } | { html: string }]>([
    [
      'escapes values in HTML',
      { body: '<p>Hello {{Name}}</p>', isBodyCode: true },
      { html: '<p>Hello Léa &lt;b&gt; &amp; &quot;co&quot;</p>' },
    ],
    [
      'leaves a value no way out of an attribute, however it is quoted',
      { body: `<a title='{{Quotes}}' rel="{{Quotes}}">`, isBodyCode: true },
      { html: `<a title='&#39;x&quot;' rel="&#39;x&quot;">` },
    ],
    ['changes nothing in a text', { body: 'Hello {{Name}} & <co>' }, { text: 'Hello Léa <b> & "co" & <co>' }],
    [
      'breaks lines of a value that is the whole HTML',
      { body: '{{Lines}}', isBodyCode: true },
      { html: 'a<br>b<br>&lt;c&gt;' },
    ],
    [
      'keeps lines of a value inside HTML',
      { body: '<pre>{{Lines}}</pre>', isBodyCode: true },
      { html: '<pre>a\nb\r\n&lt;c&gt;</pre>' },
    ],
    [
      'gives a list that is the whole HTML a line each',
      { body: '{{List}}', isBodyCode: true },
      { html: 'a<br><br>&lt;b&gt;' },
    ],
    ['gives a list that is the whole text a line each', { body: '{{List}}' }, { text: 'a\n\n<b>' }],
    ['breaks no lines in a text', { body: '{{Lines}}' }, { text: 'a\nb\r\n<c>' }],
    ['shows a list inside a text as JSON', { body: 'x {{List}}' }, { text: 'x ["a",null,"<b>"]' }],
    ['escapes what code yields', { body: '{{= "<b>" =}}!', isBodyCode: true }, { html: '&lt;b&gt;!' }],
    [
      'escapes what code yields alone',
      { body: '{{= "<b>\\n" =}}', isBodyCode: true },
      { html: '&lt;b&gt;<br>' },
    ],
    ['may be empty', { body: '', isCustomBody: true }, { text: '' }],
    ['may be missing', { isCustomBody: true, isBodyCode: true }, { html: '' }],
    ['counts when it is there', { body: 'Hi' }, { text: 'Hi' }],
  ])('%s', (_, options, expected) => {
    const content = mailOf(options, values)
    expect({ ...content }).toMatchObject(expected)
    expect('text' in expected ? content?.html : content?.text).toBeUndefined()
  })

  it('expands no value again', () => {
    const variables = { Name: '{{Secret}} {{=1+1=}}', Secret: 's3cret' }
    const options = { subject: '{{Name}}', replyTo: '{{Name}} <a@b>', recipients: ['{{Name}} <c@d>'] }
    for (const isBodyCode of [true, false]) {
      const content = mailOf({ ...options, body: 'x {{Name}}', isBodyCode }, variables)
      expect(content).toMatchObject({
        [isBodyCode ? 'html' : 'text']: 'x {{Secret}} {{=1+1=}}',
        subject: '{{Secret}} {{=1+1=}}',
        replyTo: '"{{Secret}} {{=1+1=}}" <a@b>',
        to: ['"{{Secret}} {{=1+1=}}" <c@d>'],
      })
    }
    expect(mailOf({ body: '{{Name}}' }, variables)?.text).toBe('{{Secret}} {{=1+1=}}')
  })

  it.each<Options>([{}, { body: '' }, { body: 'Hi', isCustomBody: false }])(
    'is everything that is known without one: %j',
    (options) => {
      const { mails } = run(
        { credentialsId: 'default', recipients: to, ...options },
        {
          answers: [
            ['Message', 'a\n<b> {{Secret}}'],
            ['<key>', 'v'],
          ],
          variables: { Email: 'ada@mail.example', List: ['a', 'b'], Empty: null },
        },
      )
      expect(mails[0]?.html?.split('\n')).toEqual([
        '<p><strong>Message:</strong> a<br>&lt;b&gt; {{Secret}}</p>',
        '<p><strong>&lt;key&gt;:</strong> v</p>',
        '<p><strong>Email:</strong> <a href="mailto:ada@mail.example">ada@mail.example</a></p>',
        '<p><strong>List:</strong> a,b</p>',
      ])
      expect(mails[0]).not.toHaveProperty('text')
    },
  )

  it.each([
    ['Ada <ada@mail.example>', 'Ada &lt;ada@mail.example&gt;'],
    ['a&b%?c@mail.example', '<a href="mailto:a%26b%25%3Fc@mail.example">a&amp;b%?c@mail.example</a>'],
    ['zoë@bücher.example', '<a href="mailto:zo%C3%AB@b%C3%BCcher.example">zoë@bücher.example</a>'],
    ['\ud800@mail.example', '<a href="mailto:%EF%BF%BD@mail.example">\ufffd@mail.example</a>'],
  ])('links to an address and to nothing else: %s', (value, shown) => {
    const { mails } = run({ credentialsId: 'default', recipients: to }, { answers: [['Email', value]] })
    expect(mails[0]?.html?.toWellFormed()).toBe(`<p><strong>Email:</strong> ${shown}</p>`)
  })

  it.each<Options>([{ body: '{{Name}}' }, { body: 'x{{Name}}', isBodyCode: true }, {}])(
    'counts against the budget of the turn: %j',
    (options) => {
      const Name = '<'.repeat(1000)
      const { spent } = run({ credentialsId: 'default', recipients: to, ...options }, { variables: { Name } })
      expect(spent).toBeGreaterThanOrEqual(options.body === '{{Name}}' ? 1000 : 4000)
    },
  )
})

describe('the files of a mail', () => {
  it.each([
    ['https://chat.example/a', ['https://chat.example/a']],
    ['https://chat.example/a, https://chat.example/b', ['https://chat.example/a', 'https://chat.example/b']],
    [['https://chat.example/a', null, ''], ['https://chat.example/a']],
    ['', []],
    [null, []],
  ])('are those of a variable: %j', (Files, attachments) => {
    expect(mailOf({ attachmentsVariableId: 'vFiles' }, { Files })?.attachments).toEqual(attachments)
  })

  it.each([undefined, 'vNobody'])('are none without one: %s', (id) => {
    expect(mailOf({ ...(id && { attachmentsVariableId: id }) })?.attachments).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import type { Log } from '../../../schemas/log.ts'
import { LimitExceeded, type Limits } from '../../../src/engine/model/limits.ts'
import { renderWithBudget } from '../../../src/engine/templates/render-with-budget.ts'
import { assign } from '../../../src/engine/turn/assign-variable.ts'
import { Variables, VariableTable } from '../../../src/engine/values/variables.ts'
import { start } from '../../../src/engine/walk/start-walk.ts'
import { bubble, edge, group, leaving, setVariable, textInput } from '../../fixtures/short-flows.ts'
import { defaultLimits } from '../../support/limits.ts'
import { walkFlow } from '../../support/walk-flow.ts'

const flag = (id: string) => ({ id, type: 'Return' })
const stopped = (budget: string, details: string) => ({
  status: 'error',
  description: `The conversation was stopped: ${budget}`,
  details,
})

/** Two groups that lead to each other, and a way in. */
const loop = {
  groups: [
    group('g1', leaving(flag('in'), 'e-2')),
    group('g2', flag('a'), leaving(flag('b'), 'e-3')),
    group('g3', leaving(flag('c'), 'e-2')),
  ],
  edges: [edge('e-2', 'g2'), edge('e-3', 'g3')],
}

describe('the budget of blocks', () => {
  it('is spent by one block more, and the log names the loop', () => {
    const { output, turn } = walkFlow(loop, { limits: { blocksPerTurn: 9 } })
    expect(turn.budget.trail.map(({ id }) => id).join('')).toBe('inabcabcab')
    expect(output.logs).toEqual([
      stopped('more than 9 blocks in one turn', 'Loop: group "G3" (g3): c; group "G2" (g2): a, b'),
    ])
  })

  it('allows just as many', () => {
    const blocks = [flag('a'), flag('b'), flag('c')]
    expect(walkFlow({ blocks }, { limits: { blocksPerTurn: 3 } }).output.logs).toEqual([])
    expect(walkFlow({ blocks }, { limits: { blocksPerTurn: 2 } }).output.logs).toEqual([
      stopped('more than 2 blocks in one turn', 'Last blocks: group "Group 1" (g1): a, b'),
    ])
  })

  it('is that of one turn: the next has its own', () => {
    const first = walkFlow(
      { blocks: [flag('a'), textInput('i'), flag('b')] },
      { limits: { blocksPerTurn: 2 } },
    )
    expect(first.reply('x').output.logs).toEqual([])
  })

  it('counts the blocks behind a reply to the same turn', () => {
    const blocks = [textInput('i'), flag('b'), flag('c')]
    const { output, conversation } = walkFlow({ blocks }, { limits: { blocksPerTurn: 2 }, message: 'x' })
    expect(output.logs).toEqual([
      stopped('more than 2 blocks in one turn', 'Last blocks: group "Group 1" (g1): i, b'),
    ])
    expect(output.answers).toEqual([{ resultId: 'result-1', part: { blockId: 'i', content: 'x' } }])
    expect(conversation.waitingBlock).toBeUndefined()
  })
})

describe('the budget of messages', () => {
  const blocks = [bubble('a'), bubble('b'), bubble('c')]

  it('allows just as many', () => {
    expect(walkFlow({ blocks }, { limits: { messagesPerTurn: 3 } }).output.logs).toEqual([])
  })

  it('is spent by one message more, and what was shown stays', () => {
    const { output, texts } = walkFlow({ blocks }, { limits: { messagesPerTurn: 2 } })
    expect(texts).toEqual(['a', 'b'])
    expect(output.logs).toEqual([
      stopped('more than 2 messages in one turn', 'Last blocks: group "Group 1" (g1): a, b, c'),
    ])
  })
})

describe('the budget of characters', () => {
  const spentBy = (definition: object) => {
    const fits = (charactersPerTurn: number) =>
      walkFlow({ ...definition }, { limits: { charactersPerTurn } }).output.logs.every(
        ({ description }) => !description.includes('was stopped'),
      )
    let characters = 0
    while (!fits(characters)) characters += 1
    return characters
  }
  const bytesOf = (value: object | undefined) => JSON.stringify(value).length

  it('counts a message, an input and an action by their bytes', () => {
    const redirect = { id: 'r', type: 'Redirect', options: { url: 'https://a.example/' } }
    const blocks = [bubble('a', 'é'), redirect, textInput('i')]
    const { output } = walkFlow({ blocks })
    const [message, action] = [output.messages[0], output.actions[0]]
    const bytes = bytesOf(message?.value) + 1 + bytesOf(action?.value) + bytesOf(output.input?.value)
    expect(spentBy({ blocks })).toBe(bytes)
  })

  it('counts a log by its description and its details', () => {
    const [log] = walkFlow({ blocks: [{ id: 'h', type: 'hologram' }] }).output.logs
    expect(spentBy({ blocks: [{ id: 'h', type: 'hologram' }] })).toBe(
      `${log?.description}${log?.details}`.length,
    )
  })

  it('is reported even when logs are what spent it', () => {
    const blocks = [{ id: 'h', type: 'hologram' }]
    expect(walkFlow({ blocks }, { limits: { charactersPerTurn: 10 } }).output.logs).toEqual([
      stopped('more than 10 characters in one turn', 'Last blocks: group "Group 1" (g1): h'),
    ])
  })

  it('keeps an input that no longer fits from being asked', () => {
    const { output, conversation } = walkFlow(
      { blocks: [textInput('i')] },
      { limits: { charactersPerTurn: 5 } },
    )
    expect([output.input, conversation.waitingBlock]).toEqual([undefined, undefined])
  })
})

describe('the time of a turn', () => {
  const blocks = Array.from({ length: 9 }, (_, index) => flag(`n${index}`))

  it('is asked for at every fourth block', () => {
    expect(walkFlow({ blocks }).asked).toEqual([{ type: 'yield' }, { type: 'yield' }])
    expect(walkFlow({ blocks: blocks.slice(0, 3) }).asked).toEqual([])
  })

  it('is asked for before the block that follows one which did much', () => {
    const wide = (id: string) => ({
      id,
      type: 'text',
      content: { richText: [{ type: 'p', children: [{ text: 'x'.repeat(20_000) }] }] },
    })
    const much = [wide('w'), flag('n'), flag('o')]
    expect(walkFlow({ blocks: much }).asked).toEqual([{ type: 'yield' }])
    expect(walkFlow({ blocks: [flag('n'), wide('w')] }).asked).toEqual([])
  })

  it('ends the turn before the block that finds it used up', () => {
    const { output } = walkFlow(
      { blocks: [...blocks.slice(0, 6), bubble('a'), bubble('b')] },
      { effects: { yield: (_, nth) => nth < 2 } },
    )
    expect(output.messages.map(({ value }) => value.id)).toEqual(['a'])
    expect(output.logs).toEqual([
      stopped(
        'more than 10000 ms of engine time in one turn',
        'Last blocks: group "Group 1" (g1): n0, n1, n2, n3, n4, n5, a, b',
      ),
    ])
  })
})

describe('the time without a break', () => {
  const look = 64 * 1024
  const begin = (limits: Partial<Limits>) => {
    const clock = { now: 100 }
    const { turn } = walkFlow({ blocks: [] }, { limits, elapsed: () => clock.now })
    return { clock, turn }
  }

  it('is looked at whenever it has produced a good deal', () => {
    const { clock, turn } = begin({ blockMs: 10 })
    clock.now = 111
    turn.budget.consume(look)
    expect(() => turn.budget.consume(1)).toThrow(
      'The conversation was stopped: it went on for more than 10 ms without a break',
    )
  })

  it('may be just as long as allowed, and is not looked at again at once', () => {
    const { clock, turn } = begin({ blockMs: 10 })
    clock.now = 110
    turn.budget.consume(look + 1)
    clock.now = 111
    turn.budget.consume(look)
    expect(() => turn.budget.consume(1)).toThrow('it went on for more than 10 ms without a break')
  })

  it('begins anew when others could be served', () => {
    const clock = { now: 0 }
    const breathe = () => {
      clock.now += 50
      return true
    }
    const { turn } = walkFlow(
      { blocks: [flag('a'), flag('b'), flag('c'), flag('d')] },
      { limits: { blockMs: 10 }, elapsed: () => clock.now, effects: { yield: breathe } },
    )
    expect(() => turn.budget.consume(look + 1)).not.toThrow()
  })
})

describe('the limits that a turn came up against', () => {
  const variables = [{ id: 'v', name: 'V' }]
  const jump = (id: string, groupId: string) => ({ id, type: 'Jump', options: { groupId } })
  const blocks = [bubble('a'), bubble('b'), bubble('c')]
  const link = { id: 'l', type: 'Flow link', options: { flowId: 'other' } }
  const linked = [{ id: 'other', blocks: [] }]
  const nested = {
    groups: [group('g1', jump('j1', 'g2'), flag('a')), group('g2', jump('j2', 'g3'), flag('b')), group('g3')],
  }

  it.each<[keyof Limits, number, object]>([
    ['blocksPerTurn', 2, { blocks }],
    ['messagesPerTurn', 2, { blocks }],
    ['charactersPerTurn', 2, { blocks }],
    ['linkDepth', 0, { blocks: [link] }],
    ['returnMarks', 1, nested],
    ['variableLength', 2, { blocks: [setVariable('s', 'v', 'long')], variables }],
    ['variablesLength', 2, { blocks: [setVariable('s', 'v', 'long')], variables }],
  ])('are told by their names: %s', (limit, most, definition) => {
    expect(walkFlow({ ...definition }, { linked }).turn.budget.limitsReached).toEqual([])
    expect(
      walkFlow({ ...definition }, { linked, limits: { [limit]: most } }).turn.budget.limitsReached,
    ).toEqual([limit])
  })

  it('are reported by their names: the time of a turn, and that without a break', () => {
    const { turn } = walkFlow({ blocks: [...blocks, flag('r')] }, { effects: { yield: () => false } })
    expect(turn.budget.limitsReached).toEqual(['turnMs'])
    let now = 0
    const { turn: busy } = walkFlow({ blocks: [] }, { elapsed: () => now })
    now = defaultLimits.blockMs + 1
    expect(() => busy.budget.consume(64 * 1024 + 1)).toThrow(expect.objectContaining({ limit: 'blockMs' }))
  })
})

describe('a turn whose budget was spent before its start', () => {
  it('runs nothing', () => {
    const { turn } = walkFlow({ blocks: [bubble('a')] })
    turn.stopFor(new LimitExceeded('messagesPerTurn', 'enough'))
    const { trail } = turn.budget
    const runBefore = trail.length
    expect(start(turn, undefined, undefined).next()).toEqual({ done: true, value: turn.output })
    expect([turn.budget.isStopped, trail.length]).toEqual([true, runBefore])
  })
})

describe('anything but a spent budget', () => {
  it('is thrown again, and ends nothing', () => {
    const { turn, conversation, output } = walkFlow({ blocks: [textInput('i')] })
    expect(() => turn.stopFor(new Error('broken'))).toThrow('broken')
    expect([conversation.waitingBlock?.id, output.input?.value.id, output.logs]).toEqual(['i', 'i', []])
  })
})

describe('the budget of variables', () => {
  const variables = [
    { id: 'v', name: 'V', value: 'as declared' },
    { id: 'w', name: 'W' },
  ]
  const write = (values: Record<string, unknown>, limits: Partial<Limits>) => {
    const { turn } = walkFlow({ variables, blocks: [] }, { limits })
    for (const [variableId, value] of Object.entries(values)) assign(turn, { variableId, value })
    const descriptions = turn.output.logs.map(({ description, context }) => `${context}: ${description}`)
    return { changed: Object.fromEntries(turn.currentFrame.variables.changed), descriptions }
  }
  const cut = 'Variables: The value of "V" was cut to 4 characters'

  it.each([
    ['a text that fits', 'abcd', 'abcd', []],
    ['a longer text', 'abcde', 'abcd', [cut]],
    ['a text in the middle of a character', 'abc🙂', 'abc\ufffd', [cut]],
    ['a list that fits, each element counting one more', ['a', null, ''], ['a', null, null], []],
    ['a longer list, element by element', ['a', 'b', 'c'], ['a', 'b'], [cut]],
    ['a list of nothings', [null, null, null, null, null], [null, null, null, null], [cut]],
    ['a list whose first element is too long', ['abcd'], [], [cut]],
    ['nothing', null, null, []],
  ])('of one text cuts %s', (_, value, kept, descriptions) => {
    expect(write({ v: value }, { variableLength: 4 })).toEqual({ changed: { v: kept }, descriptions })
  })

  it('of all variables leaves a write out that goes beyond it, and only that', () => {
    const limits = { variablesLength: 6 }
    const description = 'Variables: "W" was not written: all variables together are limited to 6 characters'
    expect(write({ v: 'abc', w: 'def' }, limits)).toEqual({
      changed: { v: 'abc', w: 'def' },
      descriptions: [],
    })
    expect(write({ v: 'abc', w: 'defg' }, limits)).toEqual({
      changed: { v: 'abc' },
      descriptions: [description],
    })
  })

  it('of all variables counts what a write replaces as free, and defaults not at all', () => {
    const { turn } = walkFlow({ variables, blocks: [] }, { limits: { variablesLength: 6 } })
    for (const value of ['abcdef', 'ghijkl', 'm', null, 'nopqrs']) assign(turn, { variableId: 'v', value })
    expect(turn.output.logs).toEqual([])
    expect(turn.currentFrame.variables.get('v')).toBe('nopqrs')
  })

  it('keeps the value that was there when a write is left out', () => {
    const definition = { variables, blocks: [setVariable('s', 'v', '{{Long}}'), bubble('a', '{{V}}')] }
    const long = { id: 'l', name: 'Long', value: 'far too long' }
    const { texts } = walkFlow(
      { ...definition, variables: [...variables, long] },
      { limits: { variablesLength: 3 } },
    )
    expect(texts).toEqual(['as declared'])
  })
})

describe('a rendering outside any block', () => {
  function render(characters: number) {
    const reached: string[] = []
    const logs: Log[] = []
    const { value } = renderWithBudget({
      variables: new Variables(new VariableTable([])),
      limits: { ...defaultLimits, charactersPerTurn: 10 },
      codes: [],
      render: ({ spend, log }) => {
        log({ description: 'code' })
        spend(characters - 1)
        spend(1)
        return 'everything'
      },
      otherwise: 'nothing',
      log: (entry) => logs.push(entry),
      reached: (limit) => reached.push(limit),
    }).next()
    return { value, reached, logs }
  }

  it('gives way to something else when it grows too large, and reports why', () => {
    const heard = [{ description: 'code' }]
    expect(render(10)).toEqual({ value: 'everything', reached: [], logs: heard })
    expect(render(11)).toEqual({
      value: 'nothing',
      reached: ['charactersPerTurn'],
      logs: [
        {
          audience: 'visitors',
          status: 'error',
          context: 'Theme and settings',
          description: 'A part was left out: more than 10 characters',
        },
      ],
    })
  })

  it('does not hide what else goes wrong', () => {
    const broken = () => {
      throw new Error('broken')
    }
    const variables = new Variables(new VariableTable([]))
    const rendering = renderWithBudget({
      variables,
      limits: defaultLimits,
      codes: [],
      render: broken,
      otherwise: '',
      log: () => {},
      reached: () => {},
    })
    expect(() => rendering.next()).toThrow('broken')
  })
})

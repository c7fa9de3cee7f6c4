import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { emailInput, phoneNumberInput, urlInput } from '../../../../src/blocks/inputs/address-inputs.ts'
import { dateInput, timeInput } from '../../../../src/blocks/inputs/date-inputs.ts'
import { fileInput } from '../../../../src/blocks/inputs/file-input.ts'
import { keepDeclared } from '../../../../src/blocks/inputs/lib/render-input.ts'
import { numberInput, ratingInput } from '../../../../src/blocks/inputs/number-inputs.ts'
import { textInput } from '../../../../src/blocks/inputs/text-input.ts'
import { compileExpression } from '../../../../src/engine/javascript/create-code.ts'
import { compileJson } from '../../../../src/engine/templates/json-template.ts'
import { parseTemplate } from '../../../../src/engine/templates/parse-template.ts'
import { VariableTable } from '../../../../src/engine/values/variables.ts'
import { prepareBlock, runBlock } from '../../../support/run-block.ts'

const block = { id: 'i1', type: 'text input' }

function shown(options: object, variables = {}) {
  return runBlock(textInput, { ...block, options } as typeof block, { variables }).input?.value
}

describe('a shown input', () => {
  it('waits for a reply', () => {
    expect(runBlock(textInput, block).next).toEqual({ to: 'wait' })
  })

  it('has no options when the block has none', () => {
    expect(runBlock(textInput, { ...block, outgoingEdgeId: 'e1' }).input?.value).toEqual({
      id: 'i1',
      type: 'text input',
      outgoingEdgeId: 'e1',
    })
  })

  it('keeps empty options', () => {
    expect(shown({})).toEqual({ ...block, options: {} })
  })

  it('drops what the response does not declare, at any depth', () => {
    const labels = { placeholder: 'Name', tooltip: 'x' }
    expect(shown({ labels, sizeLimit: 3 })).toEqual({
      ...block,
      options: { labels: { placeholder: 'Name' } },
    })
  })

  it('replaces placeholders in every text', () => {
    expect(shown({ labels: { placeholder: 'Hi {{Nick}}', button: 'Go' } }, { Nick: 'Zed' })).toEqual({
      ...block,
      options: { labels: { placeholder: 'Hi Zed', button: 'Go' } },
    })
  })

  it('leaves ids alone', () => {
    const given = { ...block, id: '{{A}}', outgoingEdgeId: '{{A}}', options: { variableId: '{{A}}' } }
    expect(runBlock(textInput, given, { variables: { A: 'a' } }).input?.value).toEqual(given)
  })

  it('shares one frozen piece when nothing in it changes', () => {
    const prepared = prepareBlock(textInput, {
      ...block,
      options: { labels: { button: 'Go' } },
    } as typeof block)
    const piece = prepared.run().input
    expect(prepared.run().input).toBe(piece)
    expect(Object.isFrozen(piece?.value)).toBe(true)
  })

  it('shares one piece when its numbers are constant', () => {
    const given = { id: 'i1', type: 'number input', options: { min: '18', max: 120, step: 'x' } }
    const prepared = prepareBlock(numberInput, given)
    expect(prepared.run().input?.value).toEqual({ ...given, options: { min: 18, max: 120 } })
    expect(prepared.run().input).toBe(prepared.run().input)
  })
})

it.each([
  dateInput,
  emailInput,
  fileInput,
  numberInput,
  phoneNumberInput,
  ratingInput,
  textInput,
  timeInput,
  urlInput,
])('the answer goes to the variable of the block, which need not have one', (handler) => {
  const type = handler.types.join()
  const bound = { id: 'i1', type, options: { variableId: 'vName' } }
  expect(prepareBlock(handler, bound).answerVariableId()).toBe('vName')
  expect(prepareBlock(handler, { id: 'i1', type }).answerVariableId()).toBeUndefined()
})

it.each([
  [dateInput, { format: '{{A}}', min: '{{A}}', labels: { separator: '{{A}}' } }],
  [emailInput, { retryMessageContent: '{{A}}' }],
  [fileInput, { allowedFileTypes: { isEnabled: true, types: ['{{A}}'] } }],
  [numberInput, { min: '{{A}}' }],
  [phoneNumberInput, { defaultCountryCode: '{{A}}', retryMessageContent: '{{A}}' }],
])('the author is told once about each text', (handler, options) => {
  const places: string[] = []
  const variables = new VariableTable([])
  const text = (source: string, at: string | undefined) => {
    if (source !== '' && at !== undefined) places.push(at)
    return parseTemplate(source, variables)
  }
  const json = <T>(value: T, at: string) =>
    compileJson(value, { compile: (source, pointer) => text(source, at + pointer) })
  const block = { id: 'i1', type: handler.types.join(), options }
  handler.compile(block, {
    variables,
    isLegacy: false,
    text,
    lateText: text,
    expression: compileExpression,
    json,
    report: () => {},
    inspect: () => {},
  })
  const told = places.filter((place) => place.startsWith('/options'))
  expect(told.length).toBeGreaterThan(0)
  expect(new Set(told).size).toBe(told.length)
})

describe('an earlier answer', () => {
  const options = { variableId: 'vName' }

  it.each([
    ['a text', 'Zed K.'],
    ['a text that looks like a placeholder', '{{Token}}'],
  ])('is offered when it is %s, as it is', (_, Name) => {
    expect(shown(options, { Name, Token: 'secret' })).toEqual({ ...block, options, prefilledValue: Name })
  })

  it.each([
    ['nothing', null],
    ['an empty text', ''],
    ['a list', ['a']],
  ])('is not offered when it is %s', (_, Name) => {
    expect(shown(options, { Name })).toEqual({ ...block, options })
  })

  it('is not offered from a variable that the flow does not declare', () => {
    expect(shown({ variableId: 'vGone' }, { Name: 'x' })).toEqual({
      ...block,
      options: { variableId: 'vGone' },
    })
  })

  it('changes with the variable from one showing to the next', () => {
    const prepared = prepareBlock(textInput, { ...block, options } as typeof block, {
      variables: { Name: 'a' },
    })
    prepared.variables.set('vName', 'b')
    expect(prepared.run().input?.value).toHaveProperty('prefilledValue', 'b')
    prepared.variables.set('vName', null)
    expect(prepared.run().input?.value).not.toHaveProperty('prefilledValue')
  })
})

describe('keepDeclared', () => {
  const schema = Type.Object({
    name: Type.Optional(Type.String()),
    items: Type.Optional(Type.Array(Type.Object({ id: Type.String() }))),
    any: Type.Optional(Type.Unknown()),
  })

  it.each([
    ['unknown keys of items', { items: [{ id: 'a', blockId: 'b' }] }, { items: [{ id: 'a' }] }],
    ['inherited names', JSON.parse('{"__proto__":{"name":"x"},"constructor":1}'), {}],
  ])('drops %s', (_, value, kept) => {
    expect(keepDeclared(schema, value)).toEqual(kept)
  })

  it('keeps whole what the schema does not look into', () => {
    const value = { any: { deep: [1, { x: null }] } }
    expect(keepDeclared(schema, value)).toEqual(value)
  })

  it('leaves the definition as it is', () => {
    const value = Object.freeze({ name: 'a', other: 1 })
    expect(keepDeclared(schema, value)).toEqual({ name: 'a' })
    expect(value).toEqual({ name: 'a', other: 1 })
  })
})

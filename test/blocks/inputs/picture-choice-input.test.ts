import { describe, expect, it } from 'vitest'
import { pictureChoiceInput } from '../../../src/blocks/inputs/picture-choice-input.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { prepareBlock, runBlock } from '../../support/run-block.ts'

const block = {
  id: 'i1',
  type: 'picture choice input',
  items: [
    {
      id: 'a',
      blockId: 'i1',
      pictureSrc: 'https://p.example/{{Name}}.png',
      title: 'Hi {{Name}}',
      description: '',
      value: 'v',
      outgoingEdgeId: 'e1',
    },
    { id: 'b', displayCondition: { isEnabled: true, condition: { comparisons: [] } } },
  ],
}

const visible = [
  {
    id: 'a',
    pictureSrc: 'https://p.example/Ann.png',
    title: 'Hi Ann',
    description: '',
    value: 'v',
    outgoingEdgeId: 'e1',
  },
]

const shown = (options: object, variables: Record<string, Value>) =>
  runBlock(pictureChoiceInput, { ...block, options } as typeof block, {
    variables: { Name: 'Ann', ...variables },
  }).input?.value

describe('a picture choice input', () => {
  it('shows the items that are not hidden, and waits', () => {
    const step = runBlock(pictureChoiceInput, block, { variables: { Name: 'Ann' } })
    expect(step.input?.value).toEqual({ id: 'i1', type: 'picture choice input', items: visible })
    expect(step.next).toEqual({ to: 'wait' })
  })

  it('never shows an earlier answer', () => {
    expect(shown({ variableId: 'vName' }, {})).not.toHaveProperty('prefilledValue')
  })

  it('names its variable and the edges of its items', () => {
    expect(pictureChoiceInput.itemEdgeIds?.(block)).toEqual(['e1'])
    expect(pictureChoiceInput.answerVariableId?.({ variableId: 'v1' })).toBe('v1')
    expect(pictureChoiceInput.showsChoices).toBe(true)
    expect(pictureChoiceInput.inputName).toBe('picture choice')
  })
})

describe('pictures from variables', () => {
  const dynamicItems = {
    isEnabled: true,
    pictureSrcsVariableId: 'vPics',
    titlesVariableId: 'vTitles',
    descriptionsVariableId: 'vTexts',
  }
  const items = (variables: Record<string, Value>, given: object = dynamicItems) =>
    (shown({ dynamicItems: given }, variables) as { items: unknown[] }).items

  it('take title and description by their place', () => {
    expect(items({ Pics: ['1.png', '2.png'], Titles: ['Sea'], Texts: [null, 'Deep'] })).toEqual([
      { id: '0', pictureSrc: '1.png', title: 'Sea', description: '' },
      { id: '1', pictureSrc: '2.png', title: '', description: 'Deep' },
    ])
  })

  it('leave out a missing picture together with its title', () => {
    expect(items({ Pics: ['1.png', null, '3.png'], Titles: ['One', 'Two', 'Three'] })).toEqual([
      { id: '0', pictureSrc: '1.png', title: 'One', description: '' },
      { id: '1', pictureSrc: '3.png', title: 'Three', description: '' },
    ])
  })

  it('are a single one when the variable is a text, whatever it looks like', () => {
    expect(items({ Pics: '["x","y"]', Titles: 'Only' })).toEqual([
      { id: '0', pictureSrc: '["x","y"]', title: 'Only', description: '' },
    ])
  })

  it('are none when the list is empty', () => {
    expect(items({ Pics: [] })).toEqual([])
  })

  it('repeat a picture that is listed twice', () => {
    expect(items({ Pics: ['1.png', '1.png'] })).toHaveLength(2)
  })

  it('give way to the visible items while their variable is unset', () => {
    expect(items({ Pics: null })).toEqual(visible)
    expect(items({})).toEqual(visible)
  })

  it.each([{ ...dynamicItems, isEnabled: false }, { pictureSrcsVariableId: 'vPics' }, { isEnabled: true }])(
    'are not shown unless they are on and named: %j',
    (given) => {
      expect(items({ Pics: ['1.png'] }, given)).toEqual(visible)
    },
  )

  it('keep their options', () => {
    expect(shown({ dynamicItems: { ...dynamicItems, more: 1 } }, { Pics: [] })).toHaveProperty('options', {
      dynamicItems,
    })
  })

  it('are never scanned for placeholders', () => {
    expect(items({ Pics: ['{{Name}}'] })).toMatchObject([{ pictureSrc: '{{Name}}' }])
    expect(prepareBlock(pictureChoiceInput, block).findings).toEqual([])
  })
})

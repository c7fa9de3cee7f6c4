import { expect, it } from 'vitest'
import { chooseSubjects } from '../bench/options.ts'

const subjects = ['start: static', 'start: with values', 'stores: start', 'stores: several'].map((name) => ({
  name,
}))

it.each([
  [
    'everything without a name',
    [],
    ['start: static', 'start: with values', 'stores: start', 'stores: several'],
  ],
  ['a group by its whole name', ['start'], ['start: static', 'start: with values']],
  ['what has a part of a name in it', ['sta'], ['start: static', 'start: with values', 'stores: start']],
  ['what any of several names', ['several', 'static'], ['start: static', 'stores: several']],
])('chooses %s', (_, only, chosen) => {
  expect(chooseSubjects(subjects, only).map(({ name }) => name)).toEqual(chosen)
})

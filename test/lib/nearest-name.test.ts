import { expect, it } from 'vitest'
import { editDistance, nearestName } from '../../src/lib/nearest-name.ts'

it.each([
  ['', '', 0],
  ['', 'ab', 2],
  ['', 'abc', 3],
  ['name', 'name', 0],
  ['name', 'nam', 1],
  ['name', 'names', 1],
  ['name', 'nome', 1],
  ['nmae', 'name', 1],
  ['anme', 'name', 1],
  ['naem', 'name', 1],
  ['nmea', 'name', 2],
  ['anem', 'name', 2],
  ['email', 'mail', 1],
  ['emial', 'mail', 2],
  ['abcdef', 'abxyef', 2],
  ['abcdef', 'axyzef', 3],
  ['abcdef', 'ghijkl', 3],
  ['abc', 'abcdef', 3],
  ['abcdef', 'abc', 3],
  ['ca', 'abc', 3],
])('counts what has to be changed in %j to be %j: %i', (a, b, distance) => {
  expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance])
})

it.each([
  ['ab', 'ac', undefined],
  ['abc', 'abd', 'abd'],
  ['abc', 'aed', undefined],
  ['Nmae', 'Name', 'Name'],
  ['Naxy', 'Name', undefined],
  ['Emxyl', 'Email', 'Email'],
  ['Emxyz', 'Email', undefined],
  ['abcd', 'abc', 'abc'],
  ['abcd', 'ab', undefined],
])('of %j and %j the first was meant to be: %j', (wanted, name, found) => {
  expect(nearestName(wanted, [name])?.name).toBe(found)
})

it('takes the nearest of several, and the first of those that are as near', () => {
  expect(nearestName('colour', ['dolor', 'color', 'colours'])?.name).toBe('color')
  expect(nearestName('colour', ['colours', 'color'])?.name).toBe('colours')
})

it('is sure of a name that differs in its spelling, where only one does', () => {
  expect(nearestName('first name', ['Firstname'])).toEqual({ name: 'Firstname', isSpelling: true })
  expect(nearestName('first name', ['Firstname', 'first_name'])).toEqual({
    name: 'Firstname',
    isSpelling: false,
  })
})

it('does not look at what is long, nor at more names than anybody declares', () => {
  const long = 'x'.repeat(60)
  expect(nearestName(`${long}y`, [long])).toBeUndefined()
  expect(nearestName(long, [`${long}y`])).toBeUndefined()
  expect(nearestName(`${long.slice(1)}y`, [long])?.name).toBe(long)
  const others = Array.from({ length: 999 }, (_, index) => `Other ${index}`)
  expect(nearestName('Nmae', [...others, 'Name'])?.name).toBe('Name')
  expect(nearestName('Nmae', [...others, 'Another', 'Name'])).toBeUndefined()
})

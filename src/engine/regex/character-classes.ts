import type { AST } from '@eslint-community/regexpp'
import { type CharacterRange, type CharacterSet, lineEnds, type Property } from './character-set.ts'
import { BeyondRe2 } from './problem.ts'

/** The flags that decide what a class holds. */
interface ClassFlags {
  readonly isUnicode: boolean
  readonly ignoresCase: boolean
  readonly lastCharacter: number
}

type Part = Pick<CharacterSet, 'ranges' | 'properties'>

const classes: Readonly<Record<AST.EscapeCharacterSet['kind'], readonly CharacterRange[]>> = {
  digit: [[0x30, 0x39]],
  word: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
}

/** With `iu` the long s and the Kelvin sign count as the letters of words that they are folded to. */
const foldedToWords: readonly CharacterRange[] = [
  [0x17f, 0x17f],
  [0x212a, 0x212a],
]

/** The characters that a part of a pattern stands for, as JavaScript has them. */
export function charactersOf(
  node: AST.Character | AST.CharacterSet | AST.CharacterClass,
  flags: ClassFlags,
): CharacterSet {
  if (node.type !== 'CharacterClass') return { ...partOf(node, flags), isNegated: false }
  const parts = node.elements.map((element) => partOf(element, flags))
  return {
    ranges: parts.flatMap(({ ranges }) => ranges),
    properties: parts.flatMap(({ properties }) => properties),
    isNegated: node.negate,
  }
}

function partOf(node: AST.CharacterClassElement | AST.CharacterSet, flags: ClassFlags): Part {
  switch (node.type) {
    case 'Character':
      return plain([[node.value, node.value]])
    case 'CharacterClassRange':
      return plain([[node.min.value, node.max.value]])
    case 'CharacterSet':
      return setOf(node, flags)
    default:
      throw new BeyondRe2('it has a class inside of a class')
  }
}

const plain = (ranges: readonly CharacterRange[]): Part => ({ ranges, properties: [] })

function setOf(node: AST.CharacterSet, { isUnicode, ignoresCase, lastCharacter }: ClassFlags): Part {
  if (node.kind === 'any') return plain(complementOf(lineEnds, lastCharacter))
  if (node.kind === 'property') return { ranges: [], properties: [propertyOf(node)] }
  const ranges = classes[node.kind]
  if (!node.negate) return plain(ranges)
  const isFolded = isUnicode && ignoresCase && node.kind === 'word'
  return plain(complementOf(isFolded ? [...ranges, ...foldedToWords] : ranges, lastCharacter))
}

/** The properties that RE2 knows; whether it knows the value is for it to say. */
function propertyOf({ key, value, negate, raw }: AST.UnicodePropertyCharacterSet): Property {
  if (value === null || !/^(?:gc|General_Category|sc|Script)$/.test(key)) {
    throw new BeyondRe2(`the character property "${key}" is not available`)
  }
  const [letter, other] = negate ? ['P', 'p'] : ['p', 'P']
  const property = new RegExp(raw, 'u')
  return {
    source: `\\${letter}{${value}}`,
    opposite: `\\${other}{${value}}`,
    has: (character) => property.test(character),
  }
}

/** Ranges in order, without what they leave out. */
function complementOf(ranges: readonly CharacterRange[], last: number): CharacterRange[] {
  const gaps: CharacterRange[] = []
  let from = 0
  for (const [first, end] of ranges) {
    if (first > from) gaps.push([from, first - 1])
    from = end + 1
  }
  gaps.push([from, last])
  return gaps
}

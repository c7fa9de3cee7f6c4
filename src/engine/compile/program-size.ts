/**
 * Memory of a definition once it is parsed and compiled, and all of it has run: measured, and never less than that
 * (test/service/program-memory.test.ts). What grows beyond the text is counted by the footprint of the program.
 */
const bytesPer = { character: 4, value: 130, placeholder: 200 }

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openList = 0x5b
const openObject = 0x7b

/** Estimates from the JSON of a definition, without parsing it, in time that grows with its length only. */
export function estimateProgramBytes(text: string): number {
  return (
    bytesPer.character * text.length +
    bytesPer.value * countValues(text) +
    bytesPer.placeholder * countPlaceholders(text)
  )
}

/** Values: what stands behind a comma, and what is first in a list or an object. */
function countValues(text: string): number {
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) at = endOfString(text, at)
    else if (character === comma || character === openList || character === openObject) values += 1
  }
  return values
}

function countPlaceholders(text: string): number {
  let placeholders = 0
  for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', at + 2)) placeholders += 1
  return placeholders
}

function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1)
  for (; end !== -1 && isEscaped(text, end); end = text.indexOf('"', end + 1));
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1
  return slashes % 2 === 1
}

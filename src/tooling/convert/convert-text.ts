import type { ConvertFlowBody, ConvertFlowResponse } from '../../../schemas/convert-flow.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { type FlowText, readFlowText, yamlEnding } from '../../definition/read-flow-text.ts'
import { problemsOf, ServiceError } from '../../lib/errors.ts'
import { escapeToken } from '../../lib/json-pointer.ts'
import { writeYaml } from '../write-yaml/write-yaml.ts'

/** Writes the text of a flow in its other form. Never throws for what is wrong with it. */
export function convertText({ source, to }: ConvertFlowBody): ConvertFlowResponse {
  const read = readFlowText(to === 'json' ? yamlEnding : '.json', source)
  const { definition, problems, rangeOf } = read
  if (problems.length > 0)
    return {
      problems: problems.map(({ message, range }) => ({ pointer: '', message, place: placeOf(range) })),
    }
  if (to === 'yaml') return toYaml(read)
  const places = Object.fromEntries(placesIn(definition, rangeOf))
  return { problems: [], source: `${JSON.stringify(definition, null, 2)}\n`, places }
}

function toYaml({ definition, rangeOf }: FlowText): ConvertFlowResponse {
  try {
    return { problems: [], source: writeYaml(readDefinition(definition)) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return {
      problems: problemsOf(error).map(({ pointer, message }) => ({
        pointer,
        message,
        place: placeOf(rangeOf(pointer)),
      })),
    }
  }
}

type Range = ReturnType<FlowText['rangeOf']>

const placeOf = ({ start }: Range) => `${start.line + 1}:${start.character + 1}`

/** Places of all parts that have one of their own. */
function* placesIn(
  part: unknown,
  rangeOf: FlowText['rangeOf'],
  pointer = '',
  around = '',
): Generator<[string, string]> {
  const place = placeOf(rangeOf(pointer))
  if (place !== around) yield [pointer, place]
  if (typeof part !== 'object' || part === null) return
  for (const [key, inside] of Object.entries(part))
    yield* placesIn(inside, rangeOf, `${pointer}/${escapeToken(key)}`, place)
}

import { bubble, setVariable, textInput, variable } from '../../test/fixtures/short-flows.ts'
import { wholeDefinition } from '../../test/support/conformance.ts'
import type { Json } from '../../test/support/json.ts'

/** A draft that comes in as many versions as are asked for, all of one length. */
export interface Draft {
  /** The body of a preview start on this version, which differs from the others in every group. */
  body(version: number): string
}

/** Stands where versions differ. */
const marker = 'version-0000000000'

/** A group as people make them: says something, asks, decides, assigns. */
function group(index: number): Json {
  return {
    id: `group-${index}`,
    title: `Group #${index}`,
    graphCoordinates: { x: 320.5 * (index % 40), y: 240.25 * Math.floor(index / 40) },
    blocks: [
      bubble(`says-${index}`, `Hello {{Name}}, this is step ${index} of ${marker}.`),
      {
        id: `image-${index}`,
        type: 'image',
        content: { url: `https://assets.example/steps/${index}.png`, clickLink: { url: '' } },
      },
      {
        ...textInput(`asks-${index}`),
        options: { variableId: 'vName', labels: { placeholder: 'Your name', button: 'Go on' } },
      },
      {
        id: `decides-${index}`,
        type: 'Condition',
        items: [
          {
            id: `item-${index}`,
            outgoingEdgeId: `edge-${index}`,
            content: {
              logicalOperator: 'OR',
              comparisons: [
                { id: `a-${index}`, variableId: 'vName', comparisonOperator: 'Contains', value: 'Ada' },
                { id: `b-${index}`, variableId: 'vScore', comparisonOperator: 'Greater than', value: '10' },
              ],
            },
          },
        ],
      },
      setVariable(`assigns-${index}`, 'vScore', { expressionToEvaluate: '{{Score}} + 1' }),
    ],
  }
}

/** A draft of so many groups, each leading to the next and the last one to the first. */
function draftOfGroups(count: number): Draft {
  const groups = Array.from({ length: count }, (_, index) => group(index))
  const edges = groups.map((_, index) => ({
    id: `edge-${index}`,
    from: { blockId: `decides-${index}`, itemId: `item-${index}` },
    to: { groupId: `group-${(index + 1) % count}` },
  }))
  const variables = [variable('Name', { value: 'Ada' }), variable('Score', { value: '1' })]
  const flow = wholeDefinition({ id: 'draft', groups, edges, variables })
  const parts = JSON.stringify({ flow }).split(marker)
  return { body: (version) => parts.join(`version-${String(version).padStart(10, '0')}`) }
}

/** A draft whose body is about that long. */
export function draftOfBytes(bytes: number): Draft {
  const ofTen = draftOfGroups(10).body(0).length
  const ofTwenty = draftOfGroups(20).body(0).length
  const ofOne = (ofTwenty - ofTen) / 10
  return draftOfGroups(Math.max(1, Math.round((bytes - ofTen) / ofOne) + 10))
}

import type { Static } from '@sinclair/typebox'
import { ClosedObject, optional, StringEnum } from './common.ts'
import { sampleFlow } from './samples.ts'
import { Type } from './type.ts'

/** Body of a conversion of a flow (docs/api.md 4.34). */
export const ConvertFlowBody = Type.Object(
  {
    source: Type.String({
      maxLength: 1_048_576,
      description: 'The text of a flow: YAML where `to` is `json`, and JSON where it is `yaml`',
    }),
    to: StringEnum(['json', 'yaml'], { description: 'The form that is wanted' }),
  },
  {
    examples: [
      { source: 'flow: hello\ngroups:\n  Start:\n    - Hello!\n', to: 'json' },
      { source: JSON.stringify(sampleFlow), to: 'yaml' },
    ],
  },
)
export type ConvertFlowBody = Static<typeof ConvertFlowBody>

const Place = Type.String({
  description: 'Line and column in the text that was sent, counted from 1',
  examples: ['12:7'],
})

/** Outcome of a conversion. */
export const ConvertFlowResponse = ClosedObject(
  {
    problems: Type.Array(
      ClosedObject({
        pointer: Type.String({
          description: 'JSON pointer into the flow; empty where the text is none, or for the whole',
        }),
        message: Type.String(),
        place: Place,
      }),
      { description: 'Why the text is no flow; empty where it was converted' },
    ),
    ...optional({
      source: Type.String({ description: 'The text in the other form' }),
      places: Type.Record(Type.String(), Place, {
        description:
          'Of YAML: where the parts of the flow come from, by their JSON pointers; a part that is absent comes from where that around it does',
      }),
    }),
  },
  { $id: 'ConvertFlowResponse' },
)
export type ConvertFlowResponse = Static<typeof ConvertFlowResponse>

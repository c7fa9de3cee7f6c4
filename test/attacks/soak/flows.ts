import {
  bubble,
  flowLink,
  modelQuestion,
  setVariable,
  textInput,
  variable,
} from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'

const back = (block: Json) => ({ ...block, outgoingEdgeId: 'back' })

/** A flow whose last block leads to its first, so that one session goes on for ever. */
const endless = (blocks: readonly Json[], more: Json = {}): Json =>
  wholeDefinition({
    groups: [{ id: 'loop', title: 'Loop', blocks }],
    edges: [{ id: 'back', to: { groupId: 'loop' } }],
    variables: [variable('Said'), variable('Number')],
    ...more,
  })

const expression = (id: string, expressionToEvaluate: string) =>
  setVariable(id, 'vNumber', { expressionToEvaluate, isCode: true })

/** The published flows, by public id: one for each kind of turn. */
export function soakFlows(): Readonly<Record<string, Json>> {
  const said = textInput('ask', 'vSaid')
  return {
    talk: endless([bubble('b', 'You said {{Said}}'), back(said)], {
      theme: { general: { progressBar: { isEnabled: true } } },
    }),
    told: endless([bubble('b', 'You said {{Said}}'), back(said)], {
      settings: {
        general: { mcp: { description: 'Repeats', arguments: { Said: 'Anything' } } },
        typingEmulation: { enabled: false },
      },
    }),
    refusing: endless([back({ id: 'ask', type: 'number input', options: { variableId: 'vNumber' } })]),
    commanded: wholeDefinition({
      groups: [
        { id: 'g', title: 'Ask', blocks: [said] },
        { id: 'help', title: 'Help', blocks: [bubble('h', 'Help'), { id: 'r', type: 'Return' }] },
      ],
      edges: [{ id: 'to-help', to: { groupId: 'help' } }],
      variables: [variable('Said')],
      events: [
        { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
        { id: 'c', type: 'command', outgoingEdgeId: 'to-help', options: { command: 'help' } },
      ],
    }),
    linking: endless([flowLink('l', 'linked', { mergeResults: true }), back(said)]),
    linked: wholeDefinition({
      id: 'linked',
      blocks: [textInput('inside', 'vSaid')],
      variables: [variable('Said')],
    }),
    coding: endless([
      expression('simple', '1 + {{Said}}.length'),
      expression('sandboxed', 'new (class { n = {{Said}}.length })().n'),
      bubble('b', '{{Number}} {{= [1, 2].map((n) => n * 2) =}}'),
      back(said),
    ]),
    uploading: wholeDefinition({ id: 'uploading', blocks: [{ id: 'file', type: 'file input' }] }),
    listening: endless([
      {
        id: 'hook',
        type: 'webhook',
        options: { responseVariableMapping: [{ id: 'm', variableId: 'vNumber', bodyPath: 'data.paid' }] },
      },
      back(said),
    ]),
    asking: endless([
      {
        id: 'table',
        type: 'nocodb',
        options: {
          credentialsId: 'table',
          action: 'Search Records',
          tableId: 't1',
          returnType: 'Last',
          responseMapping: [{ fieldName: 'City', variableId: 'vNumber' }],
        },
      },
      bubble('shown', '{{Number}} {{Said}}'),
      back(said),
    ]),
    paying: endless([
      bubble('asked', 'To be paid'),
      back({
        id: 'pay',
        type: 'payment input',
        options: { credentialsId: 'shop', amount: '19.99', currency: 'EUR', variableId: 'vSaid' },
      }),
    ]),
    assisting: endless([
      said,
      {
        id: 'assistant',
        type: 'dify-ai',
        options: {
          credentialsId: 'assistant',
          action: 'Create Chat Message',
          query: '{{Said}}',
          responseMapping: [{ item: 'Answer', variableId: 'vNumber' }],
        },
      },
      bubble('shown', '{{Number}}'),
      back(textInput('more')),
    ]),
    streaming: endless([
      said,
      {
        id: 'model',
        type: 'openai',
        options: modelQuestion('{{Said}}', 'vNumber', { credentialsId: 'default-openai', model: 'tiny' }),
      },
      bubble('shown', '{{Number}}'),
      back(textInput('more')),
    ]),
  }
}

/** A draft of so many inputs in one group, with a progress bar: 1.6 MB at 26,000. They share a variable and its answer. */
export const wideDraft = (inputs: number): Json =>
  wholeDefinition({
    id: 'wide',
    blocks: Array.from({ length: inputs }, (_, nth) => textInput(`i${nth}`, 'vSaid')),
    variables: [variable('Said')],
    theme: { general: { progressBar: { isEnabled: true } } },
  })

import { bubble, edge, group, leaving, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'

/** Reminders of a question. */
export const atMost = 2

/**
 * Numbers whatever it says, by which each turn names its place. What is said is a moment, which it waits for; a question that stays
 * unanswered is asked again.
 */
export const remindingFlow = wholeDefinition({
  id: 'reminding',
  publicId: 'reminding',
  variables: [variable('N', { value: '0' }), variable('Said')],
  events: [
    { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
    { id: 'ev', type: 'idle', outgoingEdgeId: 'eIdle', options: { after: 'PT2S', atMost } },
  ],
  groups: [
    group('g1', leaving(textInput('i1', 'vSaid'), 'eSaid')),
    group(
      'g2',
      setVariable('s1', 'vN', '{{N}} + 1'),
      bubble('b1', '{{N}} said {{Said}}'),
      { id: 'w1', type: 'Wait', options: { until: '{{Said}}', whenAnswered: 'keep' } },
      setVariable('s2', 'vN', '{{N}} + 1'),
      leaving(bubble('b2', '{{N}} woke'), 'eAgain'),
    ),
    group('g3', setVariable('s3', 'vN', '{{N}} + 1'), bubble('b3', '{{N}} idle')),
  ],
  edges: [edge('eSaid', 'g2'), edge('eAgain', 'g1'), edge('eIdle', 'g3')],
})

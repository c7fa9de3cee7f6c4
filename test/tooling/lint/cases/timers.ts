import type { Json } from '../../../support/json.ts'
import type { RuleCase } from './rule-case.ts'

const flow = (event: Json, way: Json[], settings: Json = {}) => ({
  events: [
    { id: 'start', type: 'start', outgoingEdgeId: 'e-start' },
    { id: 'ev', outgoingEdgeId: 'eR', ...event },
  ],
  groups: {
    a: [
      { id: 'i', type: 'text input' },
      { id: 't', text: 'Thanks' },
    ],
    r: way,
  },
  edges: { eR: 'r' },
  settings,
})
const text = { id: 'r', text: 'Still there?' }
const input = { id: 'q', type: 'text input' }
const back = { id: 'back', type: 'Return' }
const idle = (options: Json) => ({ type: 'idle', options: { after: 'PT30M', ...options } })
const joining = (replyWindow: string) => ({ general: { replyWindow } })
const lasting = (sessionTtl: string) => ({ general: { sessionTtl } })
const handing = (options: Json, items: Json[] = [{ id: 'no', outgoingEdgeId: 'eN' }]) => ({
  groups: { a: [{ id: 'h', type: 'Handoff', options, items }, text], n: [text] },
  edges: { eN: 'n' },
})

export const timers: readonly RuleCase[] = [
  {
    code: 'expiry-asks',
    finds: [
      [flow({ type: 'expire' }, [text, input]), '/events/1'],
      [flow({ type: 'expire' }, [{ id: 'h', type: 'Handoff' }]), '/events/1'],
    ],
    spares: [flow({ type: 'expire' }, [text]), flow(idle({}), [text, input])],
  },
  {
    code: 'idle-without-end',
    finds: [[flow(idle({ atMost: 2 }), [text, input]), '/events/1/options/atMost']],
    spares: [
      flow(idle({}), [text, input]),
      flow(idle({ atMost: 3 }), [text]),
      flow(idle({ atMost: 3 }), [text, back, input]),
      flow(idle({ atMost: 3, groupIds: ['a'] }), [text, input]),
    ],
  },
  {
    code: 'timer-window',
    finds: [
      [flow(idle({ after: 'PT5S' }), [text]), '/events/1/options/after'],
      [flow(idle({}), [text], lasting('PT30M')), '/events/1/options/after'],
      [flow(idle({ groupIds: ['a', 'b'] }), [text]), '/events/1/options/groupIds/1'],
      [flow(idle({}), [text], lasting('P91D')), '/settings/general/sessionTtl'],
      [flow(idle({}), [text], joining('PT31S')), '/settings/general/replyWindow'],
      [flow(idle({}), [text], joining('PT0S')), '/settings/general/replyWindow'],
      [{ groups: { a: [text] }, settings: joining('PT2S') }, '/settings/general/replyWindow'],
    ],
    spares: [
      flow(idle({ after: 'PT10S', groupIds: ['a'] }), [text], lasting('PT1H')),
      flow(idle({}), [text], joining('PT30S')),
    ],
  },
  {
    code: 'handoff-deadline',
    finds: [
      [handing({ deadline: 'PT30S' }), '/groups/0/blocks/0/options/deadline'],
      [handing({ deadline: 'P91D' }), '/groups/0/blocks/0/options/deadline'],
      [handing({ deadline: 'PT5M' }, [{ id: 'no' }]), '/groups/0/blocks/0/options/deadline'],
      [handing({}), '/groups/0/blocks/0/items/0'],
    ],
    spares: [handing({ deadline: 'PT5M' }), handing({}, [])],
  },
  {
    code: 'handoff-without-way',
    finds: [[{ blocks: [{ id: 'h', type: 'Handoff' }] }, '/groups/0/blocks/0']],
    spares: [handing({}, [])],
  },
]

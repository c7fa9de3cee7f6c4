import type { Variable } from '../../../../../schemas/flow.ts'
import type { Retention } from '../../../../engine/model/program.ts'
import { defineRule } from '../../rule.ts'

/** Times of a flow that make no sense, by the part of the retention that says so. */
function problemsOfRetention(
  retention: Retention,
  variables: readonly Variable[],
): Partial<Record<keyof Retention, string>> {
  const { results = Infinity } = retention
  const isLonger = (of: 'unfinished' | 'personal' | 'secret') => (retention[of] ?? 0) > results
  const isIdle = (kind: 'personal' | 'secret') =>
    retention[kind] !== undefined && variables.every(({ sensitivity }) => sensitivity !== kind)
  return {
    ...(isLonger('unfinished') && { unfinished: 'Results have gone before: `results` is shorter.' }),
    ...(isLonger('personal') && { personal: 'The whole result has gone before: `results` is shorter.' }),
    ...(isLonger('secret') && { secret: 'The whole result has gone before: `results` is shorter.' }),
    ...(isIdle('personal') && { personal: 'No variable is marked as personal.' }),
    ...(isIdle('secret') && { secret: 'No variable is marked as secret.' }),
  }
}

const problemOfVariable = ({
  sensitivity,
  scope,
  value,
}: Variable): readonly [string, string] | undefined => {
  if (sensitivity === undefined) return undefined
  if (value !== undefined && value !== null && value !== '')
    return [
      'value',
      'What is declared with the flow is read by all who read the flow, and masked for nobody.',
    ]
  if (sensitivity === 'secret' && scope === 'contact')
    return ['scope', 'A secret goes with its conversation: it is not remembered for the contact.']
  return undefined
}

/** Words about sensitive data that come to nothing. */
export const sensitivity = defineRule({
  code: 'sensitivity',
  severity: 'warning',
  title: 'Sensitive data that is kept otherwise than it says',
  description:
    'A variable that is marked as personal or secret is declared with a value, which everybody reads who reads the flow; a secret is to be remembered for the contact, which it never is; or `settings.general.retention` gives a part a longer time than the result that it is part of, or a time to variables that there are none of ([privacy.md](privacy.md)).',
  checkFlow({ model, report }) {
    const { variables } = model.flow
    for (const [index, variable] of variables.entries()) {
      const [key, message] = problemOfVariable(variable) ?? []
      if (key !== undefined && message !== undefined)
        report({ pointer: `/variables/${index}/${key}`, message })
    }
    const { retention } = model.program
    if (!retention) return
    for (const [part, message] of Object.entries(problemsOfRetention(retention, variables)))
      report({ pointer: `/settings/general/retention/${part}`, message })
  },
})

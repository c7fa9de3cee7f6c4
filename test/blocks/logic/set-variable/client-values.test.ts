import { describe, expect, it, vi } from 'vitest'
import { setVariable } from '../../../../src/blocks/logic/set-variable.ts'
import { runBlock } from '../../../support/run-block.ts'

/** Runs the script that the client gets, as a client does: the body of a function. */
function onClient(type: 'Moment of the day' | 'Device type', globals: object): unknown {
  const { actions } = runBlock(setVariable, {
    id: 's1',
    type: 'Set variable',
    options: { variableId: 'vT', type },
  } as never)
  const [action] = actions ?? []
  const content = action?.type === 'setVariable' ? action.setVariable.scriptToExecute.content : ''
  return new Function(...Object.keys(globals), content)(...Object.values(globals))
}

const agents = {
  desktop: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36',
  phone: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36',
  iphone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  tablet: 'Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 Chrome/130.0 Safari/537.36',
  ipad: 'Mozilla/5.0 (iPad; CPU OS 12_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
}

describe('what the client works out', () => {
  it.each([
    [0, 'morning'],
    [11, 'morning'],
    [12, 'afternoon'],
    [17, 'afternoon'],
    [18, 'evening'],
    [23, 'evening'],
  ])('calls the hour %d the %s', (hour, moment) => {
    vi.useFakeTimers({ now: new Date(2026, 10, 21, hour, 30) })
    try {
      expect(onClient('Moment of the day', {})).toBe(moment)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['desktop', agents.desktop, 0, 1400],
    ['desktop', agents.desktop, 0, 800],
    ['desktop', agents.desktop, 10, 1400],
    ['tablet', agents.desktop, 10, 800],
    ['mobile', agents.desktop, 10, 500],
    ['mobile', agents.phone, 0, 1400],
    ['mobile', agents.iphone, 0, 1400],
    ['tablet', agents.tablet, 0, 1400],
    ['tablet', agents.ipad, 0, 500],
  ])('sees a %s in %s with %d touch points at %d pixels', (device, userAgent, maxTouchPoints, innerWidth) => {
    const globals = { navigator: { userAgent, maxTouchPoints }, window: { innerWidth } }
    expect(onClient('Device type', globals)).toBe(device)
  })
})

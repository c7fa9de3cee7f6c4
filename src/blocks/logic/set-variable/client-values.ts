import { compileClientScript, renderClientScript } from '../../../engine/templates/client-script.ts'
import type { TextTemplate } from '../../../engine/templates/text-template.ts'
import type { CompileValueSource, Options, ValueSource } from './source.ts'

/** Has the client run a script and send back what it returns; the session waits for that. */
export function clientValue(script: TextTemplate, { isUnsafe }: Options, isCode: boolean): ValueSource {
  return (context) => {
    const scriptToExecute = {
      ...renderClientScript(script, context),
      isCode,
      ...(isUnsafe !== undefined && { isUnsafe }),
    }
    return {
      actions: [{ type: 'setVariable', setVariable: { scriptToExecute }, expectsDedicatedReply: true }],
      next: { to: 'wait' },
    }
  }
}

function fixedScript(script: string): CompileValueSource {
  return (options, { variables }) => clientValue(compileClientScript(script, variables), options, false)
}

/** Morning, afternoon or evening by the visitor's clock. */
export const momentOfTheDay = fixedScript(`const hour = new Date().getHours()
if (hour < 12) return 'morning'
return hour < 18 ? 'afternoon' : 'evening'`)

/** Desktop, tablet or mobile, by what the browser says of itself, and by touch and width where it says little. */
export const deviceType = fixedScript(`const agent = navigator.userAgent
const hasTouch = navigator.maxTouchPoints > 0 || 'ontouchstart' in window
const width = window.innerWidth
const isTablet = /ipad|tablet|playbook|silk|android(?!.*mobile)/i.test(agent)
if (isTablet || (hasTouch && width >= 768 && width <= 1024)) return 'tablet'
const isMobile = /mobi|iphone|ipod|android|blackberry|opera mini/i.test(agent)
return isMobile || (hasTouch && width < 768) ? 'mobile' : 'desktop'`)

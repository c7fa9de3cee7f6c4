import { RedirectBlock, SetVariableBlock } from '../../../../schemas/blocks/logic.ts'
import { isOf, tagsOf } from '../../../../schemas/tagged-union.ts'
import { nearestName } from '../../../lib/nearest-name.ts'
import { blockAs } from '../model/placed-block.ts'
import { namesInServerCode, serverCodeOf, variablesSetIn } from '../model/server-code.ts'
import { channelsOf } from '../model/surroundings.ts'
import { defineRule, type Rule } from '../rule.ts'
import { defineCompiledRule } from './compiled.ts'

const invalidCode = defineCompiledRule({
  code: 'invalid-code',
  severity: 'warning',
  title: 'Code that is no JavaScript',
  description:
    'An expression that is marked as code can not be parsed, so that the variable is set to the text itself; or the path of a response mapping is no expression, so that its variable keeps its value. Only what is certainly wrong is reported: texts that are no code are fine where nothing says that they are some.',
})

/** Globals of browsers and Node that the sandbox lacks. */
const browserNames = new Set([
  ...['window', 'document', 'navigator', 'location', 'history', 'screen', 'alert', 'confirm', 'prompt'],
  ...[
    'localStorage',
    'sessionStorage',
    'indexedDB',
    'XMLHttpRequest',
    'WebSocket',
    'FormData',
    'Blob',
    'File',
  ],
  ...[
    'FileReader',
    'Image',
    'Event',
    'CustomEvent',
    'MutationObserver',
    'requestAnimationFrame',
    'jQuery',
    '$',
  ],
  ...['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'setImmediate', 'queueMicrotask'],
  ...['URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'structuredClone', 'crypto', 'Atomics'],
  ...['AbortController', 'Headers', 'Request', 'Response', 'btoa', 'atob', 'performance'],
  ...['require', 'process', 'Buffer', 'module', 'exports', '__dirname', 'axios', '_', 'moment'],
])

const codeNeedsBrowser = defineRule({
  code: 'code-needs-browser',
  severity: 'warning',
  title: 'Server code that uses what only a browser or Node has',
  description:
    'Code that the service runs has the language, and neither a page nor timers, `URL`, `crypto` or modules ([sandbox.md](sandbox.md#what-code-has)): it fails there, with an error log. Let the browser run it (`isExecutedOnClient`), or write it without. Names that the code declares, or looks for with `typeof`, are not reported.',
  checkBlock(placed, { model, report }) {
    for (const code of serverCodeOf(placed)) {
      const { free } = namesInServerCode(code, model) ?? {}
      const lacking = [...(free ?? [])].filter(
        (name) => browserNames.has(name) || isForbiddenFetch(name, code.isScript),
      )
      if (lacking.length === 0) continue
      report({
        pointer: code.pointer,
        message: `Code on the server has no ${lacking.slice(0, 5).join(', ')}.`,
      })
    }
  },
})

const isForbiddenFetch = (name: string, isScript: boolean) => name === 'fetch' && !isScript

const codeWritesUnknown = defineRule({
  code: 'code-writes-unknown',
  severity: 'warning',
  title: 'Code that sets a variable which is not declared',
  description:
    '`setVariable` takes the name of a variable, exactly as it is declared; what is set under another name is lost. Declare the variable, or correct the name.',
  checkBlock(placed, { model, report }) {
    const { variables } = model.program
    for (const { pointer, source, isScript } of serverCodeOf(placed)) {
      if (!isScript) continue
      for (const name of new Set(variablesSetIn(source).names)) {
        if (variables.byName(name).candidates.length > 0) continue
        const near = nearestName(name, variables.names())
        report({
          pointer,
          message: `No variable is named "${name}": what is set is lost.`,
          ...(near && { hint: `Did you mean "${near.name}"?` }),
        })
      }
    }
  },
})

const codeNeverEnds = defineRule({
  code: 'code-never-ends',
  severity: 'warning',
  title: 'Code with a loop that never ends',
  description:
    'A loop whose condition is always true, with no `break`, `return` or `throw` inside, runs until it is cut off: the code writes nothing, and leaves an error log. Give the loop an end.',
  checkBlock(placed, { model, report }) {
    for (const code of serverCodeOf(placed)) {
      if (!namesInServerCode(code, model)?.loopsForever) continue
      report({ pointer: code.pointer, message: 'A loop in this code never ends.' })
    }
  },
})

const placeholder = /\{\{[^{}]*\}\}/g
const quoted = /"[^"]*"|'[^']*'/g
/** The expression before the arguments of a call. */
const callee = /[\p{L}$][\p{L}\d$.]*(?=\s*\()/gu
/** An operator between what can be counted with. */
const operation = /[\d)\]]\s*(?:[-+*/%<>]|[<>=!]==?|&&|\|\|)\s*[-\d([]/

/** Longer texts are not looked at. */
const longestText = 2_000

const looksLikeCode = defineRule({
  code: 'looks-like-code',
  severity: 'info',
  title: 'An expression that looks like code and is none',
  remedy: 'Mend the expression: a bracket or a quote may be missing.',
  description:
    'The expression has operators between placeholders and numbers, and no words, but it can not be parsed: a bracket is missing, or an operator is left over. What is no code is taken for a sentence, so that the variable is set to the text (`8 * (10`), without a log. Mend the expression; mark it as code (`isCode`) to be told of what fails.',
  blockTypes: tagsOf(SetVariableBlock),
  checkBlock(placed, { model, report }) {
    const {
      type = 'Custom',
      expressionToEvaluate: source,
      isCode,
    } = blockAs<SetVariableBlock>(placed).options ?? {}
    if (type !== 'Custom' || isCode === true || !source || source.length > longestText) return
    const pointer = `${placed.pointer}/options/expressionToEvaluate`
    if (!isSum(source) || namesInServerCode({ pointer, source, isScript: false }, model)) return
    report({ pointer, message: 'This can not be parsed as code: the variable is set to the text as it is.' })
  },
})

function isSum(source: string): boolean {
  // The value of inline code is not known.
  if (!source.includes('{{') || source.includes('{{=')) return false
  const bare = source.replace(placeholder, '0').replace(quoted, '0').replace(callee, '')
  return operation.test(bare) && !/\p{L}/u.test(bare)
}

const scriptDoesNothingHere = defineRule({
  code: 'script-does-nothing-here',
  severity: 'warning',
  title: 'Something for a browser in a flow for a messenger',
  description:
    'The flow is meant for a messenger (`settings.general.channels`, `settings.whatsApp.isEnabled`, or `--channel`), where nothing runs scripts, pixels, widgets, or requests of the browser: the block does nothing there, and one that waits for the browser is a link to the page of the flow. Let the service do it (`isExecutedOnClient: false`), or lead visitors of messengers around it. Redirects and frames are not reported: messengers show their addresses.',
  checkBlock({ block, kind, marks, pointer }, { model, report }) {
    if (kind === 'bubble' || isOf(block, RedirectBlock) || !marks.isClientOnly?.(block)) return
    const [channel] = channelsOf(model)
    if (channel === undefined) return
    report({
      pointer,
      message: `Only a browser can do this: on ${channel} it does nothing, or is a link to the page where the flow waits for it.`,
    })
  },
})

/** Rules about code of flows: what can be said of it without running it. */
export const codeRules: readonly Rule[] = [
  invalidCode,
  codeNeedsBrowser,
  codeWritesUnknown,
  codeNeverEnds,
  looksLikeCode,
  scriptDoesNothingHere,
]

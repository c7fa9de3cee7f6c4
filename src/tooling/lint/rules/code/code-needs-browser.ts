import { namesInServerCode, serverCodeOf } from '../../model/server-code.ts'
import { defineRule } from '../../rule.ts'

/** Globals of browsers and Node that the sandbox lacks. */
const missing = new Set([
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

/** Server code that reaches for a browser. */
export const codeNeedsBrowser = defineRule({
  code: 'code-needs-browser',
  severity: 'warning',
  title: 'Server code that uses what only a browser or Node has',
  description:
    'Code that the service runs has the language, and neither a page nor timers, `URL`, `crypto` or modules ([sandbox.md](sandbox.md#what-code-has)): it fails there, with an error log. Let the browser run it (`isExecutedOnClient`), or write it without. Names that the code declares, or looks for with `typeof`, are not reported.',
  checkBlock(placed, { model, report }) {
    for (const code of serverCodeOf(placed)) {
      const { free } = namesInServerCode(code, model) ?? {}
      const lacking = [...(free ?? [])].filter(
        (name) => missing.has(name) || isForbiddenFetch(name, code.isScript),
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

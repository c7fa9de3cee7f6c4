import { responseParts } from '../../../../engine/javascript/response-path/response-reader.ts'
import { parseTemplate } from '../../../../engine/templates/parse-template.ts'
import { jsonIn } from '../../../../lib/json-bounds.ts'

import type { FlowModel } from '../../model/flow-model.ts'
import { mappingRowsOf } from '../../model/placed-block.ts'
import { hostOf, isPrivateHost, requestBlockTypes, requestOf } from '../../model/requests.ts'
import { defineRule, type Rule } from '../../rule.ts'

const requestWithoutUrl = defineRule({
  code: 'request-without-url',
  severity: 'error',
  title: 'An HTTP request without an address',
  description:
    'The block is set up, and says nothing about where to send its request: it leaves an error log, and the variables of its mapping stay as they are. Write the address, or delete the block. Exports of version 3 and older hold no addresses: those were kept in a table beside the flows (`webhookId`).',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { report }) {
    const { options: { webhook } = {}, webhookId } = requestOf(placed)
    if (webhook?.url?.trim()) return
    if (webhookId !== undefined) {
      return report({
        pointer: `${placed.pointer}/webhookId`,
        message: 'The address of this request was kept beside the flow, and did not come along.',
        hint: 'Write the address, the method, the headers and the body into options.webhook.',
      })
    }
    if (!webhook) return
    report({ pointer: `${placed.pointer}/options/webhook`, message: 'This request has no address.' })
  },
})

const badUrl = defineRule({
  code: 'bad-url',
  severity: 'error',
  title: 'An HTTP request to what is no web address',
  remedy: 'Write it in whole: https://shop.example/orders.',
  description:
    'The address of a request has to be whole, with `https://` or `http://` in front: nothing is put before it. Everything else fails. Addresses that begin with a placeholder are not checked.',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { report }) {
    const url = requestOf(placed).options?.webhook?.url?.trim()
    if (!url || url.startsWith('{{') || isWebAddress(url)) return
    report({ pointer: `${placed.pointer}/options/webhook/url`, message: 'This is no web address.' })
  },
})

/** A placeholder may stand anywhere behind the scheme. */
function isWebAddress(url: string): boolean {
  const filled = url.replace(/\{\{[^{}]*\}\}/g, '1')
  return /^https?:\/\//i.test(filled) && URL.canParse(filled)
}

const plainHttp = defineRule({
  code: 'plain-http',
  severity: 'info',
  title: 'An HTTP request that is not encrypted',
  description:
    'The address begins with `http://`: whoever carries the request can read and change it, with all that visitors have said. Use `https://`. Addresses inside a network are not reported.',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { report }) {
    const { block, pointer } = placed
    const url = requestOf(placed).options?.webhook?.url?.trim() ?? ''
    const host = hostOf(block)
    if (!/^http:/i.test(url) || host === undefined || isPrivateHost(host)) return
    report({
      pointer: `${pointer}/options/webhook/url`,
      message: 'What this sends and gets is not encrypted.',
    })
  },
})

const privateAddress = defineRule({
  code: 'private-address',
  severity: 'warning',
  title: 'An HTTP request into a private network',
  description:
    'Flows may not reach addresses inside the network of the service, nor the machine itself, unless the operator allows them (`OUTBOUND_ALLOW`): the request fails. Use the public address, or have it allowed. Requests that the browser sends are not reported.',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { report }) {
    const { block, compiled, pointer } = placed
    const host = hostOf(block)
    const isFromBrowser = !compiled.isPassThrough
    if (host === undefined || isFromBrowser || !isPrivateHost(host)) return
    report({
      pointer: `${pointer}/options/webhook/url`,
      message: `"${host}" is inside a private network, where flows may reach only what the operator allows.`,
    })
  },
})

/** Longer bodies are not parsed. */
const longestBody = 64 * 1024

const bodyNotJson = defineRule({
  code: 'body-not-json',
  severity: 'warning',
  title: 'A body that looks like JSON and is none',
  remedy: 'Write JSON with its keys in double quotes: {"name": {{Name}}}.',
  description:
    'The custom body begins with a brace or a bracket, and is no JSON whatever its placeholders hold: a comma too many, or quotes that are missing. It is sent as a text, which hardly any service reads. Texts need quotes around their placeholder (`"{{Name}}"`); what stands in it is escaped. Bodies of requests with a content type that is not JSON are not checked.',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { model, report }) {
    const { webhook, isCustomBody } = requestOf(placed).options ?? {}
    const body = webhook?.body ?? ''
    if (isCustomBody !== true || !/^\s*[{[]/.test(body) || body.length > longestBody) return
    const isTyped = webhook?.headers?.some(
      ({ key, value }) => key?.toLowerCase() === 'content-type' && value?.includes('json') === false,
    )
    if (isTyped || jsonIn(filledIn(body, model)) !== undefined) return
    const pointer = `${placed.pointer}/options/webhook/body`
    report({ pointer, message: 'This body is no JSON, whatever its placeholders hold.' })
  },
})

/** Any value is JSON where a number is, and is escaped between quotes. */
function filledIn(body: string, { program }: FlowModel): string {
  const { parts, lone } = parseTemplate(body.trim(), program.variables)
  return lone ? '0' : parts.map((part) => (typeof part === 'string' ? part : '0')).join('')
}

/** Names and indexes alone: whatever else stands in a path is an expression, which may begin with anything. */
const plainPath = /^\s*([a-z_$][\w$]*)(?:\??\.[\w$]+|\[(?:\d+|"[^"]*"|'[^']*')\])*\s*$/

/** Words of the language, which stand for themselves. */
const constants = new Set(['true', 'false', 'null', 'undefined'])

const pathRootMissing = defineRule({
  code: 'path-root-missing',
  severity: 'warning',
  title: 'A response path that begins with what no response has',
  description:
    'A path begins with `data`, the body of the response, or `statusCode` (`response` holds both). With anything else in front the variable keeps its value, without a log. Write `data.free` for the field `free` of the body.',
  checkBlock(placed, { report }) {
    const { mapping } = placed.marks
    if (!mapping) return
    for (const [index, { variableId, bodyPath }] of mappingRowsOf(placed).entries()) {
      const [, root] = plainPath.exec(bodyPath ?? '') ?? []
      if (!variableId || root === undefined || constants.has(root) || responseParts.includes(root)) continue
      report({
        pointer: `${placed.pointer}/options/${mapping.option}/${index}/bodyPath`,
        message: `A response has no "${root}".`,
        hint: `Did you mean "data.${bodyPath?.trim()}"?`,
      })
    }
  },
})

const failureIgnored = defineRule({
  code: 'failure-ignored',
  severity: 'info',
  title: 'A response that is read without its status',
  description:
    'Parts of the response go into variables, and nothing looks at `statusCode`: when the call fails, the variables keep what they held, and the flow goes on as if all were well. Map `statusCode` to a variable, and ask for it in a condition.',
  blockTypes: requestBlockTypes,
  checkBlock(placed, { report }) {
    const { responseVariableMapping: rows = [] } = requestOf(placed).options ?? {}
    const isRead = rows.some(({ variableId, bodyPath }) => variableId && bodyPath)
    if (!isRead || rows.some(({ bodyPath }) => bodyPath?.includes('statusCode'))) return
    const pointer = `${placed.pointer}/options/responseVariableMapping`
    report({ pointer, message: 'Whether this call has failed is never looked at.' })
  },
})

/** Rules about HTTP requests, and about what is read of responses. */
export const requestRules: readonly Rule[] = [
  requestWithoutUrl,
  badUrl,
  plainHttp,
  privateAddress,
  bodyNotJson,
  pathRootMissing,
  failureIgnored,
]

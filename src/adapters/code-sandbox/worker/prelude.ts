import { tooMuchMemory } from '../protocol.ts'
import { intlPrelude } from './intl-prelude.ts'

/** Longest result of a job, in characters of JSON. */
const maxResultLength = 2 ** 20

/** Nesting of lists and objects in a result. */
const maxResultDepth = 100

/** Calls of `fetch` in one job. */
export const maxFetches = 10

/** Longest message for the author. */
const maxMessageLength = 1000

/**
 * Start of every sandbox, in the JavaScript of the sandbox: an expression for the function that the host calls once
 * with its `request`, `random` and `intl`, and that returns the four functions with which it then runs a job.
 *
 * Code of flows runs beside this and may change every built-in, so what is needed later is taken now, and nothing below
 * calls a method of a value, iterates, or spreads. Code that bypasses this only affects its own result, and nothing
 * else: the host takes no more than a bounded text from here, and reads it as JSON.
 */
export const prelude = `(function (request, random, intl) {
  'use strict'
  const { apply, defineProperty, getPrototypeOf } = Reflect
  const { parse, stringify } = JSON
  const { keys } = Object
  const { isArray } = Array
  const { getTime } = Date.prototype
  const StringOf = String, DateOf = Date, ErrorOf = Error, InternalErrorOf = InternalError, PromiseOf = Promise
  const NumberOf = Number, FunctionOf = Function
  const AsyncFunctionOf = getPrototypeOf(async function () {}).constructor
  const world = globalThis
  const { slice } = String.prototype

  const define = (name, value) =>
    defineProperty(world, name, { value, writable: true, enumerable: false, configurable: true })

  const silent = {}
  for (const name of ['assert', 'clear', 'count', 'countReset', 'debug', 'dir', 'dirxml', 'error', 'group',
    'groupCollapsed', 'groupEnd', 'info', 'log', 'table', 'time', 'timeEnd', 'timeLog', 'trace', 'warn']) {
    silent[name] = () => {}
  }
  define('console', silent)
  define('global', world)
  ;${intlPrelude}(intl)
  defineProperty(Math, 'random', { value: random, writable: true, enumerable: false, configurable: true })

  const tooLarge = { message: 'The code hands back more than ${maxResultLength} characters' }
  let isTooLarge = false
  let size = 0
  const counted = (text) => {
    size += text.length
    if (size <= ${maxResultLength}) return text
    isTooLarge = true
    throw tooLarge
  }

  const writeText = (text) => {
    if (text.length > ${maxResultLength}) return counted(text)
    return counted(stringify(text[0] === '\\0' ? '\\0s' + text : text))
  }
  const writeMarked = (text) => counted('"\\\\u0000' + text + '"')
  const isPlainNumber = (number) => number - number === 0 && (number !== 0 || 1 / number > 0)

  const write = (value, depth) => {
    switch (typeof value) {
      case 'string': return writeText(value)
      case 'number':
        return isPlainNumber(value) ? counted('' + value) : writeMarked(value === 0 ? '-0' : '' + value)
      case 'boolean': return counted('' + value)
      case 'undefined': return writeMarked('undefined')
      case 'bigint': return writeMarked(value + 'n')
      case 'object': return value === null ? counted('null') : writeObject(value, depth)
      default: throw new ErrorOf('A ' + typeof value + ' is not a value that can be kept')
    }
  }

  const writeObject = (value, depth) => {
    if (depth > ${maxResultDepth}) throw new ErrorOf('A value that holds itself, or is nested too deeply, cannot be kept')
    if (isArray(value)) return writeList(value, depth)
    if (value instanceof PromiseOf) throw new ErrorOf('A promise is not a value that can be kept')
    if (value instanceof DateOf) return writeMarked('date' + apply(getTime, value, []))
    const names = keys(value)
    let text = counted('{')
    for (let i = 0; i < names.length; i++) {
      text += counted(i === 0 ? '' : ',') + counted(stringify(names[i])) + ':' + write(value[names[i]], depth + 1)
    }
    return text + counted('}')
  }

  const writeList = (list, depth) => {
    const length = +list.length
    let text = counted('[')
    for (let i = 0; i < length; i++) text += counted(i === 0 ? '' : ',') + write(list[i], depth + 1)
    return text + counted(']')
  }

  const revive = (value) => {
    if (typeof value === 'string') return value[0] === '\\0' ? unmarked(apply(slice, value, [1])) : value
    if (typeof value === 'object' && value !== null) {
      const names = keys(value)
      for (let i = 0; i < names.length; i++) {
        const name = names[i], held = value[name], revived = revive(held)
        if (revived !== held) defineProperty(value, name, { value: revived })
      }
    }
    return value
  }
  const unmarked = (text) =>
    text[0] === 's' ? apply(slice, text, [1]) : text === 'undefined' ? undefined : NumberOf(text)

  let assigned = ''
  const setVariable = (name, value) => {
    const isFirst = assigned === ''
    const entry = counted('[') + writeText(StringOf(name)) + ',' + write(value, 1) + counted(']')
    assigned += isFirst ? entry : ',' + entry
  }

  let fetches = 0
  const waiting = { __proto__: null }
  const fetch = (address, init) => new PromiseOf((resolve, reject) => {
    if (fetches === ${maxFetches}) throw new ErrorOf('Code may fetch ${maxFetches} times')
    const text = '[' + writeText(StringOf(address)) + ',' + write(init, 1) + ']'
    waiting[++fetches] = { resolve, reject }
    request(fetches, text)
  })

  const failure = (reason, message) =>
    '{"ok":false,"reason":"' + reason + '","message":' + stringify(message[0] === '\\0' ? '\\0s' + message : message) + '}'

  const wordless = 'The code threw an error without a message'
  const nameless = 'The code threw something that is not an error'
  const messageOf = (error) => {
    try {
      if (typeof error === 'string') return apply(slice, error, [0, ${maxMessageLength}])
      if (!(error instanceof ErrorOf)) return nameless
      const { message } = error
      return typeof message === 'string' && message !== '' ? apply(slice, message, [0, ${maxMessageLength}]) : wordless
    } catch {
      return nameless
    }
  }
  const limits = {
    __proto__: null,
    'out of memory': '${tooMuchMemory}',
    'stack overflow': 'The code calls itself too deeply',
  }

  const describe = (error) => {
    if (isTooLarge) return failure('limit', tooLarge.message)
    const message = messageOf(error)
    const limit = error instanceof InternalErrorOf ? limits[message] : undefined
    return limit === undefined ? failure('thrown', message) : failure('limit', limit)
  }

  const start = (text) => {
    const [body, isAsync, values, mayAssign, mayFetch] = revive(parse(text))
    if (mayAssign) define('setVariable', setVariable)
    if (mayFetch) define('fetch', fetch)
    for (const [name, value] of values) define(name, value)
    return apply(isAsync ? AsyncFunctionOf(body) : FunctionOf(body), undefined, [])
  }

  const copy = (value) => {
    const text = write(value, 1)
    return isTooLarge ? describe() : '{"ok":true,"value":' + text + ',"assigned":[' + assigned + ']}'
  }

  const settle = (text) => {
    const answer = parse(text)
    const call = waiting[answer.call]
    if (answer.isOk) call.resolve(answer.text)
    else call.reject(new ErrorOf(answer.text))
  }

  return { start, copy, describe, settle }
})`

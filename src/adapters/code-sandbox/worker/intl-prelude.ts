/**
 * `Intl` and the methods of built-ins that depend on a locale, in the JavaScript of the sandbox: an expression for the
 * function that puts them in place. What they yield comes from the host, as text. As in the rest of the prelude, code may
 * have changed every built-in by the time that these run.
 */
export const intlPrelude = `(function (ask) {
  'use strict'
  const { apply, defineProperty } = Reflect
  const { parse, stringify } = JSON
  const { isArray } = Array
  const { create } = Object
  const { now } = Date
  const { get, set, has } = WeakMap.prototype
  const valueOfNumber = Number.prototype.valueOf, valueOfBig = BigInt.prototype.valueOf, getTime = Date.prototype.getTime
  const { toLowerCase, toUpperCase } = String.prototype
  const StringOf = String, NumberOf = Number, ErrorOf = Error, TypeErrorOf = TypeError, RangeErrorOf = RangeError
  const errors = { __proto__: null, RangeError, TypeError }

  const define = (target, name, value) =>
    defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true })

  const termsOf = (locales, options) => stringify([locales, options])
  const request = (name, terms, args) => {
    const answer = parse(ask('["' + name + '",' + terms + ',' + stringify(args) + ']'))
    if (answer.error !== null) throw new (errors[answer.error] || ErrorOf)(answer.message)
    return answer.value
  }

  const asDate = (date) => {
    const time = date === undefined ? now() : NumberOf(date)
    if (!(time >= -8.64e15 && time <= 8.64e15)) throw new RangeErrorOf('Invalid time value')
    return StringOf(time)
  }
  const asNumber = (value) => {
    if (typeof value === 'bigint') return StringOf(value) + 'n'
    const number = NumberOf(value)
    return number === 0 && 1 / number < 0 ? '-0' : StringOf(number)
  }
  const asText = (value) => StringOf(value)

  const Intl = {}
  defineProperty(Intl, Symbol.toStringTag, { value: 'Intl', configurable: true })

  /** Methods by name with how each argument is written; those in bound are read as functions of their own. */
  const make = (kind, bound, methods) => {
    const held = new WeakMap()
    const termsOfSelf = (self) => {
      if (!apply(has, held, [self])) throw new TypeErrorOf('This is not an Intl.' + kind)
      return apply(get, held, [self])
    }
    const Formatter = function (locales, options) {
      const self = new.target ? this : create(Formatter.prototype)
      const terms = termsOf(locales, options)
      request(kind + '.resolvedOptions', terms, [])
      apply(set, held, [self, terms])
      return self
    }
    define(Formatter, 'name', kind)
    define(Formatter, 'supportedLocalesOf', (locales) =>
      request(kind + '.supportedLocalesOf', termsOf(locales), []))
    const { prototype } = Formatter
    defineProperty(prototype, Symbol.toStringTag, { value: 'Intl.' + kind, configurable: true })
    define(prototype, 'resolvedOptions', function () {
      return request(kind + '.resolvedOptions', termsOfSelf(this), [])
    })
    const call = (self, method, first, second) => {
      const [one, two] = methods[method]
      const args = two === undefined ? [one(first)] : [one(first), two(second)]
      return request(kind + '.' + method, termsOfSelf(self), args)
    }
    for (const method of Object.keys(methods)) {
      if (method !== bound) {
        define(prototype, method, function (first, second) { return call(this, method, first, second) })
        continue
      }
      defineProperty(prototype, method, {
        configurable: true,
        get() {
          termsOfSelf(this)
          return (first, second) => call(this, method, first, second)
        },
      })
    }
    define(Intl, kind, Formatter)
  }
  make('DateTimeFormat', 'format', {
    __proto__: null, format: [asDate], formatToParts: [asDate],
    formatRange: [asDate, asDate], formatRangeToParts: [asDate, asDate],
  })
  make('NumberFormat', 'format', { __proto__: null, format: [asNumber], formatToParts: [asNumber] })
  make('PluralRules', undefined, { __proto__: null, select: [asNumber] })
  make('Collator', 'compare', { __proto__: null, compare: [asText, asText] })
  define(globalThis, 'Intl', Intl)

  define(Number.prototype, 'toLocaleString', function toLocaleString(locales, options) {
    return request('NumberFormat.format', termsOf(locales, options), [asNumber(apply(valueOfNumber, this, []))])
  })
  define(BigInt.prototype, 'toLocaleString', function toLocaleString(locales, options) {
    return request('NumberFormat.format', termsOf(locales, options), [asNumber(apply(valueOfBig, this, []))])
  })
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
    define(Date.prototype, name, function (locales, options) {
      const time = apply(getTime, this, [])
      return time === time ? request('Date.' + name, termsOf(locales, options), [StringOf(time)]) : 'Invalid Date'
    })
  }
  define(String.prototype, 'localeCompare', function localeCompare(that, locales, options) {
    return request('Collator.compare', termsOf(locales, options), [StringOf(this), StringOf(that)])
  })
  for (const [name, plain] of [['toLocaleLowerCase', toLowerCase], ['toLocaleUpperCase', toUpperCase]]) {
    define(String.prototype, name, function (locales) {
      if (locales === undefined) return apply(plain, this, [])
      return request('String.' + name, termsOf(locales), [StringOf(this)])
    })
  }
  define(Array.prototype, 'toLocaleString', function toLocaleString(locales, options) {
    let text = ''
    for (let i = 0; i < this.length; i++) {
      const element = this[i]
      if (i > 0) text += ','
      if (element !== undefined && element !== null) text += StringOf(element.toLocaleString(locales, options))
    }
    return text
  })
})`

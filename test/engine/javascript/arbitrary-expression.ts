import fc from 'fast-check'

// Expressions about the variables `A`, `B`, `C` and `D`, and paths into a response.

const leaf = fc.constantFrom(
  ...'{{A}} {{B}} {{C}} {{D}} 0 1 -2 2.5 1e21 "" "a" "10" \' b\' true false null undefined NaN Infinity [] {} nope'.split(
    ' ',
  ),
  '{a:1,length:2}',
  '[1,[2,"3"]]',
)
const binary = '+ - * / % ** | & ^ << >> >>> < <= > >= == != === !== && || ,'.split(' ')
const methods = [
  'at',
  'charAt',
  'concat',
  'endsWith',
  'includes',
  'indexOf',
  'join',
  'slice',
  'split',
  'startsWith',
  'substring',
  'toFixed',
  'toString',
  'toUpperCase',
  'trim',
  'foo',
]
const keys = ['items', 'n', 'tags', 'total', 'length', '__proto__', 'constructor', 'text', 'number', 'nope']
const functions = [
  'Math.max',
  'Math.round',
  'Number',
  'String',
  'Boolean',
  'parseInt',
  'isNaN',
  'Array.isArray',
  'JSON.stringify',
]

export const { expression, path } = fc.letrec<{
  expression: string
  path: string
}>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    leaf,
    fc
      .tuple(tie('expression'), fc.constantFrom(...binary), tie('expression'))
      .map(([a, op, b]) => `((${a}) ${op} (${b}))`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `((${a}) ?? (${b}))`),
    fc
      .tuple(fc.constantFrom('+', '-', '!', '~', 'typeof ', 'void '), tie('expression'))
      .map(([op, a]) => `${op}(${a})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `((${a}) ? (${b}) : (${c}))`),
    fc
      .tuple(tie('expression'), fc.constantFrom('[', '?.['), tie('expression'))
      .map(([a, dot, b]) => `(${a})${dot}${b}]`),
    fc
      .tuple(tie('expression'), fc.constantFrom('.', '?.'), fc.constantFrom('length', 'a', 'foo'))
      .map(([a, dot, b]) => `(${a})${dot}${b}`),
    fc
      .tuple(tie('expression'), fc.constantFrom(...methods), fc.array(tie('expression'), { maxLength: 2 }))
      .map(([a, m, args]) => `(${a}).${m}(${args.map((arg) => `(${arg})`).join()})`),
    fc
      .tuple(fc.constantFrom(...functions), fc.array(tie('expression'), { maxLength: 2 }))
      .map(([f, args]) => `${f}(${args.map((arg) => `(${arg})`).join()})`),
    fc
      .array(tie('expression'), { maxLength: 3 })
      .map((items) => `[${items.map((item) => `(${item})`).join()}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `\`\${(${a})} \${(${b})}\``),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `({ a: (${a}), ["k" + (${b})]: 1 })`),
  ),
  path: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(
      'data',
      'data.items',
      'data["odd key"]',
      'statusCode',
      'response',
      'data.items[0]',
      '1',
      '"n"',
      'nope',
    ),
    fc
      .tuple(tie('path'), fc.constantFrom('.', '?.'), fc.constantFrom(...keys))
      .map(([a, dot, key]) => `(${a})${dot}${key}`),
    fc.tuple(tie('path'), tie('path')).map(([a, b]) => `(${a})[${b}]`),
    fc
      .tuple(tie('path'), fc.constantFrom(...binary), tie('path'))
      .map(([a, op, b]) => `((${a}) ${op} (${b}))`),
    fc.tuple(tie('path'), tie('path'), tie('path')).map(([a, b, c]) => `((${a}) ? (${b}) : (${c}))`),
    tie('path').map((a) => `JSON.stringify(${a})`),
    tie('path').map((a) => `[...(${a})]`),
  ),
}))

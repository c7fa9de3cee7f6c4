import { StreamLanguage } from '@codemirror/language'

const key = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#:{}[\],](?:[^:#{}[\],]|:(?=\S))*)(?=\s*:(?:\s|$))/
const quoted = /^(?:"(?:[^"\\]|\\.)*"?|'[^']*'?)/
const literal = /^(?:-?\d+(?:\.\d+)?|true|false|null)(?=\s*(?:[,}\]#]|$))/

/** Colors of YAML, line by line: what a flow says stands out from what holds it. */
export const yaml = StreamLanguage.define({
  name: 'yaml',
  token(stream) {
    const before = stream.string.slice(0, stream.pos)
    if (stream.eatSpace()) return null
    if (/(?:^|\s)$/.test(before) && stream.match(/^#.*/)) return 'comment'
    const mayBeKey = /^[\s-]*$|[{,]\s*$/.test(before)
    if (mayBeKey && stream.match(/^-(?=\s|$)/)) return 'punctuation'
    if (mayBeKey && stream.match(key)) return 'propertyName'
    if (/(?:^|[\s[{,])$/.test(before) && stream.match(quoted)) return 'string'
    if (/[:,[-]\s*$/.test(before) && stream.match(literal)) return 'number'
    if (stream.match(/^[{}[\],:]/)) return 'punctuation'
    stream.match(/^[^\s{}[\],:]+/)
    return null
  },
  languageData: { commentTokens: { line: '#' } },
})

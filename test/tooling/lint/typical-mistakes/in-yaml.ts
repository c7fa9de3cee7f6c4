import type { TypicalMistake } from './in-json.ts'

/** A flow that is right but for the steps put into its first group. */
const flow = (...steps: readonly string[]) => `flow: mine
variables: { Name: , Age: }
settings: { general: { systemMessages: { invalidMessage: "Once more, please." } } }
groups:
  Ask:
    - ask: What is your name?
      into: Name
    - as: number
      into: Age
${steps.map((step) => `    - ${step.replaceAll('\n', '\n      ')}\n`).join('')}
    - say: "{{Name}}, {{Age}}"
      to: End
  End:
    - Bye!
`

const right = flow('Hello')

const changed = (from: string, to: string) => right.replace(from, to)

const url = 'request: https://shop.example/orders\nmethod: GET'

/** The same mistakes as people make them in YAML. */
export const inYaml: Readonly<Record<string, TypicalMistake>> = {
  'a comma too many': { text: changed('Name: ,', 'Name: ,,'), line: ',,', says: /not valid YAML/ },
  'a type in other capitals': { text: flow('Text: Hello'), line: 'Text:', says: /did you mean "text"/ },
  'a placeholder that nothing is called': {
    text: flow('Hello {{Nmae}}'),
    line: 'Nmae',
    says: /Did you mean "Name"/,
  },
  'a way that is not there': {
    text: changed('to: End', 'to: Ende'),
    line: 'Ende',
    says: /did you mean "End"/,
  },
  'an operator that is none': {
    text: flow('if: Age at least 18\nto: End'),
    line: 'at least',
    says: /an operator is missing: .*>=/,
  },
  'a list where a text belongs': { text: flow('say: [Hello]'), line: '[Hello]', says: /a text is missing/ },
  'choices of another kind': {
    text: flow('ask: Sure?\nchoices: Yes'),
    line: 'choices',
    says: /"choices" is a list/,
  },
  'a text where a number belongs': {
    text: flow('split: half\na: End\nb: End'),
    line: 'half',
    says: /must be number/,
  },
  'one id twice': {
    text: flow('say: One\nid: n', 'say: Two\nid: n'),
    line: 'id: n',
    says: /Give this one its own/,
  },
  'steps behind a way': { text: flow('go: End', 'Never'), line: 'Never', says: /write it as the last step/ },
  'an address without its scheme': {
    text: flow('request: shop.example/orders'),
    line: 'shop.example',
    says: /Write it in whole: https/,
  },
  'a mail to nobody': {
    text: flow('mail: { credentialsId: default, subject: Hi, body: Hi }'),
    line: 'mail:',
    says: /under `recipients`/,
  },
  'a start that leads nowhere': { text: `start:\n${right}`, line: 'start:', says: /connect it to a group/ },
  'a variable that is none, in an input': {
    text: changed('into: Name', 'into: Nmae'),
    line: 'into: Nmae',
    says: /did you mean "Name"/,
  },
  'a variable that is none, in a condition': {
    text: flow('if: Foo is set\nto: End'),
    line: 'Foo',
    says: /declare it under "variables"/,
  },
  'a loop without end': {
    text: `${changed('to: End', 'to: Round')}  Round:\n    - Round\n    - jump: Round\n`,
    line: 'Round',
    says: /leave it by a condition/,
  },
  'a key that is called otherwise': {
    text: flow('as: number\ninto: Age\nminimum: 1'),
    line: 'minimum',
    says: /Did you mean "min"/,
  },
  'a key with a letter missing': {
    text: flow('request: https://shop.example/orders\nmethd: GET'),
    line: 'methd',
    says: /[Dd]id you mean "method"/,
  },
  'an option beside its place': {
    text: flow('wait: { seconds: 2 }'),
    line: 'seconds',
    says: /secondsToWaitFor/,
  },
  'a variable beside its place': {
    text: flow('ask: Where?\nvariable: Name'),
    line: 'variable: Name',
    says: /Did you mean "variableId"/,
  },
  'code that does not end': {
    text: flow('set: { Age: "{{Age}} * (10" }'),
    line: '(10',
    says: /a bracket or a quote/,
  },
  'a path without its beginning': {
    text: flow(`${url}\ninto: { Name: free }`),
    line: 'free',
    says: /Did you mean "data.free"/,
  },
  'a listener that is to call': {
    text: flow('webhook: { webhook: { url: "https://shop.example/orders" } }'),
    line: 'webhook',
    says: /Known are: responseVariableMapping/,
  },
  'a version that is none': {
    text: `version: 7\n${right}`,
    line: 'version: 7',
    says: /must be one of: .*6\.1/,
  },
  'a number in words': { text: flow('if: Age > "six"\nto: End'), line: '"six"', says: /Write a number/ },
  'a jump to no group': { text: flow('jump: end-of-it'), line: 'end-of-it', says: /no group is called/ },
  'a choice of nothing': {
    text: flow('ask: Which?\nchoices: []'),
    line: 'Which?',
    says: /List choices under `items`/,
  },
  'one label twice': {
    text: flow('ask: Sure?\nchoices:\n  - Yes\n  - No\n  - Yes'),
    line: '- Yes',
    says: /another label/,
  },
  'a least above the most': {
    text: flow('as: number\ninto: Age\nmin: 10\nmax: 1'),
    line: 'min: 10',
    says: /Swap the two/,
  },
  'a value for no variable': {
    text: flow('type: Set variable\noptions: { expressionToEvaluate: "1" }'),
    line: 'Set variable',
    says: /Name the variable/,
  },
  'a condition that asks nothing': {
    text: flow('if:\nto: End'),
    line: 'if:',
    says: /a condition is missing, such as/,
  },
  'a pattern that does not end': {
    text: flow('if: Name matches /(ab/\nto: End'),
    line: '/(ab/',
    says: /Close what is open/,
  },
  'one name twice': {
    text: changed('Age: }', 'Age: , Other: { name: Name } }'),
    line: 'Other',
    says: /another name/,
  },
  'a group that nothing leads to': {
    text: `${right}  Lost:\n    - Lost\n`,
    line: 'Lost:',
    says: /Lead an edge, an item or a Jump there/,
  },
  'the groups under another key': {
    text: changed('groups:', 'group:'),
    line: 'group:',
    says: /did you mean "groups"/,
  },
  'a duration in words': {
    text: `events: [{ idle: 10 minutes, to: End }]\n${right}`,
    line: '10 minutes',
    says: /such as "PT30M"/,
  },
  'an event that is none': {
    text: `events: [{ timeout: PT10M, to: End }]\n${right}`,
    line: 'timeout',
    says: /one of: .*idle/,
  },
  'a placeholder with a brace too few': {
    text: flow('"Hello {{Name}, you"'),
    line: '{{Name},',
    says: /is written \{\{Name\}\}/,
  },
  'rows as a map': {
    text: flow(`${url}\nheaders: [text/plain]`),
    line: 'headers',
    says: /"headers" is a map of texts/,
  },
  'a body that is no JSON': {
    text: flow('request: https://shop.example/orders\nbody: "{name: {{Name}}}"'),
    line: 'body',
    says: /keys in double quotes/,
  },
}
